import { runTool } from '../launch/run-tool.mjs';

const kinds = {
  files: 'nothing reaches this file',
  dependencies: 'unused dependency',
  devDependencies: 'unused development dependency',
  optionalPeerDependencies: 'an optional peer that is used must be a dependency',
  unlisted: 'used, but not in package.json',
  unresolved: 'leads nowhere',
  exports: 'exported, and used by no other file',
  types: 'exported type that nothing uses',
  duplicates: 'exported twice',
  enumMembers: 'unused member',
  namespaceMembers: 'unused member',
  catalog: 'unused entry of the catalog',
  catalogReferences: 'leads to no entry of the catalog',
};

/** Files, exports and dependencies that nothing uses (knip, `knip.jsonc`). */
export async function run(root) {
  const { code, stdout, stderr } = await runTool(
    'knip',
    ['--config', 'knip.jsonc', '--no-progress', '--no-config-hints', '--reporter', 'json'],
    root,
  );
  if (!stdout.trimStart().startsWith('{')) return [failure(stderr || stdout)];
  const problems = JSON.parse(stdout).issues.flatMap(({ file, ...issue }) =>
    Object.entries(issue).flatMap(([kind, found]) =>
      [found].flat(2).map((one) => toProblem(file, kind, one)),
    ),
  );
  return code !== 0 && problems.length === 0 ? [failure(stderr)] : problems;
}

function toProblem(file, kind, { name, line }) {
  const what = kind === 'files' ? '' : `${name}: `;
  return { path: file, line, text: `${what}${kinds[kind] ?? kind}` };
}

function failure(text) {
  return { path: 'knip.jsonc', text: `knip did not run: ${text.trim()}` };
}
