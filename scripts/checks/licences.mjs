import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const listFile = '.ci/licences.json';
const storeFolder = 'node_modules/.pnpm';

/** Installed packages, for production and development, whose licence `.ci/licences.json` does not allow. */
export async function run(root) {
  const { allowed, exceptions } = JSON.parse(readFileSync(join(root, listFile), 'utf8'));
  const packages = installedPackages(root);
  // A store that lies elsewhere would make every licence look fine.
  if (packages.length === 0) return [{ path: storeFolder, text: 'no installed package was found' }];
  const isExcused = (found) => exceptions.some((exception) => excuses(exception, found));
  return [
    ...packages
      .filter((found) => !isAllowed(found.licence, new Set(Object.keys(allowed))) && !isExcused(found))
      .map(({ path, name, version, licence }) => ({
        path,
        text: `${name}@${version}: ${licence ? `licence ${licence} is not allowed` : 'names no licence'} (${listFile})`,
      })),
    ...listProblems(allowed, exceptions, packages),
  ];
}

/** Every package of pnpm's store: a folder there holds one real package, and links to what that one may import. */
function installedPackages(root) {
  return folders(root, storeFolder).flatMap((entry) => {
    const home = `${storeFolder}/${entry}/node_modules`;
    return folders(root, home)
      .flatMap((name) =>
        name.startsWith('@') ? folders(root, `${home}/${name}`).map((inner) => `${name}/${inner}`) : [name],
      )
      .map((name) => `${home}/${name}/package.json`)
      .filter((path) => existsSync(join(root, path)))
      .map((path) => readPackage(root, path));
  });
}

/** Names of the real folders below `path`: links lead to packages that are met at their own place. */
function folders(root, path) {
  const full = join(root, path);
  return existsSync(full)
    ? readdirSync(full, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
    : [];
}

function readPackage(root, path) {
  const manifest = JSON.parse(readFileSync(join(root, path), 'utf8'));
  return { path, name: manifest.name, version: manifest.version, licence: licenceOf(manifest) };
}

/** The SPDX expression; of old manifests, which hold objects or a list to choose from, the same as an expression. */
function licenceOf({ license, licenses }) {
  const words = [license ?? licenses ?? []].flat().map((one) => (typeof one === 'string' ? one : one?.type));
  return words.filter((word) => typeof word === 'string' && word.trim() !== '').join(' OR ');
}

/**
 * Whether the SPDX expression can be met with allowed licences only. An exception after `WITH` is no allowed id, so
 * it fails and is judged by a person. Own code because the usual SPDX packages come under CC-BY themselves.
 */
export function isAllowed(expression, allowed) {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  const read = {
    any() {
      let met = read.all();
      while (tokens[0] === 'OR') {
        tokens.shift();
        met = read.all() || met;
      }
      return met;
    },
    all() {
      let met = read.one();
      while (tokens[0] === 'AND') {
        tokens.shift();
        met = read.one() && met;
      }
      return met;
    },
    one() {
      const token = tokens.shift();
      if (token !== '(') return allowed.has(token);
      const met = read.any();
      return tokens.shift() === ')' && met;
    },
  };
  return read.any() && tokens.length === 0;
}

function excuses(exception, { name, licence }) {
  return exception.package === name && exception.licence === licence;
}

function listProblems(allowed, exceptions, packages) {
  const unreasoned = [
    ...Object.entries(allowed).map(([name, reason]) => ({ name, reason })),
    ...exceptions.map(({ package: name, reason }) => ({ name, reason })),
  ].filter(({ reason }) => typeof reason !== 'string' || reason.length < 10);
  const needless = exceptions.filter((exception) => !packages.some((found) => excuses(exception, found)));
  return [
    ...unreasoned.map(({ name }) => `${name} has no reason`),
    ...needless.map((one) => `no installed ${one.package} is under ${one.licence}: remove the exception`),
  ].map((text) => ({ path: listFile, text }));
}
