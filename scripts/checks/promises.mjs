import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../launch/run-tool.mjs';

/** Promises that nobody waits for (oxlint, type-aware): a lost rejection is a lost error. */
export async function run(root) {
  const folders = ['packages', 'apps', 'schema', 'e2e', 'bench'].filter((name) =>
    existsSync(join(root, name)),
  );
  const { code, stdout, stderr } = await runTool('oxlint', ['--type-aware', '-f', 'json', ...folders], root);
  if (!stdout.trimStart().startsWith('{')) return [failure(stderr || stdout)];
  const { diagnostics, number_of_rules: rules } = JSON.parse(stdout);
  // With its type-aware half missing, oxlint runs the other rules and reports success.
  if (!rules) return [failure('no rule was active')];
  const problems = diagnostics.map(({ filename, labels, message, code: rule }) => ({
    path: filename ?? '.oxlintrc.json',
    line: labels?.[0]?.span.line,
    text: `${rule ?? 'oxlint'}: ${message}`,
  }));
  return code !== 0 && problems.length === 0 ? [failure(stderr)] : problems;
}

function failure(text) {
  return { path: '.oxlintrc.json', text: `oxlint did not run: ${text.trim()}` };
}
