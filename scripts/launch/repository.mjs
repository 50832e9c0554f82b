import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of this checkout. */
export const repositoryRoot = resolve(fileURLToPath(new URL('../..', import.meta.url)));

const ignored = new Set(['node_modules', 'dist', '.next', '.git', '.capstan', 'canaries']);

/** The folders of the pnpm workspace, relative to `root`. */
export function workspaceFolders(root) {
  const folders = ['packages', 'apps'].flatMap((group) =>
    existsSync(join(root, group)) ? readdirSync(join(root, group)).map((name) => join(group, name)) : [],
  );
  return [...folders, 'schema'].filter((folder) => existsSync(join(root, folder, 'package.json'))).sort();
}

/** Every file below `folder` (relative paths with `/`, sorted), without installed, built and canary files. */
export function listFiles(root, folder = '.') {
  const start = join(root, folder);
  if (!existsSync(start)) return [];
  const found = [];
  const visit = (directory) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (ignored.has(entry.name)) continue;
      const path = join(directory, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile()) found.push(relative(root, path).split(sep).join('/'));
    }
  };
  visit(start);
  return found.sort();
}
