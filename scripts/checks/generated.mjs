import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles } from '../launch/generated-files.mjs';
import { runTool } from '../launch/run-tool.mjs';

/** Generated files in git: each must be exactly what its command in `generated.json` prints now. */
export async function run(root) {
  const problems = [];
  for (const { file, command } of generatedFiles(root)) {
    const text = await compare(root, file, command);
    if (text) problems.push({ path: file, ...text });
  }
  return problems;
}

async function compare(root, file, [name, ...args]) {
  const { code, stdout, stderr } = await runTool(name, args, root);
  const shown = [name, ...args].join(' ');
  if (code !== 0)
    return { text: `its generator failed (${shown}): ${stderr.trim().split('\n').slice(-5).join(' | ')}` };
  if (stdout.trim() === '') return { text: `its generator printed nothing (${shown})` };
  const path = join(root, file);
  if (!existsSync(path)) return { text: `missing: ${shown} > ${file}` };
  const present = readFileSync(path, 'utf8');
  if (present === stdout) return undefined;
  return {
    line: firstDifference(present, stdout),
    text: `not what its generator prints: ${shown} > ${file}`,
  };
}

function firstDifference(before, after) {
  const right = after.split('\n');
  return before.split('\n').findIndex((line, index) => line !== right[index]) + 1 || 1;
}
