// Read by whatever node the machine has, so this file keeps to the syntax of Node 12: no `??`, no `?.`,
// no top-level await. Everything newer lives behind the dynamic import that follows a successful check.

/** The one line that says why this runtime cannot run Capstan, or an empty string when it can. */
export function runtimeProblem(version, platform) {
  if (platform === 'win32') {
    return 'Windows itself is not supported: run Capstan inside WSL 2.';
  }
  const parts = version.replace(/^v/, '').split('.').map(Number);
  const enough = parts[0] > 20 || (parts[0] === 20 && parts[1] >= 19);
  return enough ? '' : `Node \u2265 20.19 needed, this is v${version.replace(/^v/, '')}.`;
}

/** Runs `next` when the runtime is new enough, else prints the line and ends with code 1. */
export function requireNode(next) {
  const problem = runtimeProblem(process.versions.node, process.platform);
  if (problem) {
    console.error(problem);
    process.exitCode = 1;
    return;
  }
  next().catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
}
