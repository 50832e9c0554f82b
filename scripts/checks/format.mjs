import { runTool } from '../launch/run-tool.mjs';

/** Format and quick lint (biome). To repair: `npx biome check --write <paths>`. */
export async function run(root) {
  const { code, stdout, stderr } = await runTool(
    'biome',
    ['check', '--reporter=json', '--max-diagnostics=200', '--error-on-warnings', '--no-errors-on-unmatched'],
    root,
  );
  if (!stdout.startsWith('{'))
    return [{ path: 'biome.jsonc', text: `biome did not run: ${(stderr || stdout).trim()}` }];
  const problems = JSON.parse(stdout)
    .diagnostics.filter(({ severity }) => severity !== 'info' && severity !== 'information')
    .map(toProblem);
  // A failure that names nothing is still a failure.
  if (code !== 0 && problems.length === 0)
    return [{ path: 'biome.jsonc', text: `biome failed: ${stderr.trim()}` }];
  return problems;
}

function toProblem({ category, message, location }) {
  return {
    path: location?.path ?? 'biome.jsonc',
    line: location?.start?.line,
    text: `${category}: ${category === 'format' ? 'not formatted, run npx biome check --write' : message}`,
  };
}
