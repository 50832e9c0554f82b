import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const registryFile = 'scripts/checks/generated.json';

/**
 * The files that a command writes, `{file, command}`: the command (an argv list, run in the root) prints what the
 * file must contain.
 */
export function generatedFiles(root) {
  const file = join(root, registryFile);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

export function isGenerated(root, file) {
  return generatedFiles(root).some((entry) => entry.file === file);
}
