import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

// Stamps live inside node_modules: whoever deletes that folder also deletes the claim that it is up to date.
const stampFile = (root, name) => join(root, 'node_modules', '.capstan', `${name}.stamp`);

/** A hash over the paths and contents of `files` (relative to `root`) and the given extra words. */
export function hashInputs(root, files, ...words) {
  const hash = createHash('sha256').update(JSON.stringify(words));
  for (const file of [...files].sort()) {
    const content = readFileSync(join(root, file));
    hash.update(`\n${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** The stamp last written under `name`, or an empty string. */
export function readStamp(root, name) {
  try {
    return readFileSync(stampFile(root, name), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '';
    throw error;
  }
}

export function writeStamp(root, name, value) {
  const file = stampFile(root, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, value);
}
