import { runTool } from '../launch/run-tool.mjs';

/** The type check: every project that the root tsconfig.json names, tests among them. */
export async function run(root) {
  const { code, stdout, stderr } = await runTool('tsc', ['-b', '--pretty', 'false'], root);
  const problems = stdout.split('\n').flatMap(toProblem);
  return code !== 0 && problems.length === 0
    ? [{ path: 'tsconfig.json', text: `tsc failed: ${(stdout + stderr).trim()}` }]
    : problems;
}

function toProblem(line) {
  const placed = line.match(/^(.+?)\((\d+),\d+\): error (.+)$/);
  if (placed) return [{ path: placed[1], line: Number(placed[2]), text: placed[3] }];
  return line.startsWith('error ') ? [{ path: 'tsconfig.json', text: line }] : [];
}
