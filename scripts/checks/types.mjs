import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../launch/run-tool.mjs';

const web = 'apps/web';

/** The type check: every project that the root tsconfig.json names, tests among them, and the pages with their own compiler. */
export async function run(root) {
  const [projects, pages] = await Promise.all([
    check('tsc', ['-b', '--pretty', 'false'], root, '.'),
    existsSync(join(root, web, 'tsconfig.json'))
      ? check(join(root, web, 'node_modules/.bin/tsc'), ['-p', '.', '--pretty', 'false'], root, web)
      : [],
  ]);
  return [...projects, ...pages];
}

async function check(command, args, root, folder) {
  const { code, stdout, stderr } = await runTool(command, args, join(root, folder));
  const config = join(folder, 'tsconfig.json');
  const problems = stdout.split('\n').flatMap((line) => toProblem(line, folder, config));
  return code !== 0 && problems.length === 0
    ? [{ path: config, text: `tsc failed: ${(stdout + stderr).trim()}` }]
    : problems;
}

function toProblem(line, folder, config) {
  const placed = line.match(/^(.+?)\((\d+),\d+\): error (.+)$/);
  if (placed) return [{ path: join(folder, placed[1]), line: Number(placed[2]), text: placed[3] }];
  return line.startsWith('error ') ? [{ path: config, text: line }] : [];
}
