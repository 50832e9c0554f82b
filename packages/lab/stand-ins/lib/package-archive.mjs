/** The packages that the sandbox's mirror offers, and those that a host has: what dpkg would keep in its database. */
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isThere, world } from './world.mjs';

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

/** Debian's name of the processor. */
export const architecture = ARCHITECTURES[process.arch] ?? process.arch;

/** `{name, version, depends}` of every package of the mirror, by name. */
export function offered() {
  const server = serverVersion();
  if (server === undefined) return {};
  const major = server.split('.')[0];
  const list = [
    { name: 'postgresql', version: `${major}+lab1`, depends: [`postgresql-${major}`] },
    {
      name: `postgresql-${major}`,
      version: `${server}-0+lab1`,
      depends: [`postgresql-client-${major}`, 'postgresql-common'],
    },
    {
      name: `postgresql-client-${major}`,
      version: `${server}-0+lab1`,
      depends: ['postgresql-client-common'],
    },
    { name: 'postgresql-common', version: '248+lab1', depends: ['postgresql-client-common'] },
    { name: 'postgresql-client-common', version: '248+lab1', depends: [] },
  ];
  return Object.fromEntries(list.map((item) => [item.name, item]));
}

/** The major version of the server that the mirror offers, e.g. `18`. */
export function serverMajor() {
  return serverVersion()?.split('.')[0];
}

/** Installed packages by name: those of every Debian host, and those that came later. */
export function installed() {
  return {
    ...readList(fileURLToPath(new URL('./base-packages.tsv', import.meta.url))),
    ...readList(databaseFile()),
  };
}

/** Records a package as installed. */
export function markInstalled(item) {
  const all = { ...readList(databaseFile()), [item.name]: item };
  const lines = Object.values(all).map(
    ({ name, version, depends }) => `${name}\t${version}\t${depends.join(', ')}\n`,
  );
  writeFileSync(`${databaseFile()}.new`, lines.join(''), { mode: 0o644 });
  renameSync(`${databaseFile()}.new`, databaseFile());
}

/** What must be installed for `names`, dependencies first, without what is there already. */
export function closure(names) {
  const [have, offer] = [installed(), offered()];
  const order = [];
  const visit = (name) => {
    if (have[name] !== undefined || order.includes(name)) return;
    for (const dependency of offer[name]?.depends ?? []) visit(dependency);
    order.push(name);
  };
  for (const name of names) visit(name);
  return order;
}

/** `dpkg-query` reads the same file. */
function databaseFile() {
  return join(world.state, 'packages.tsv');
}

function readList(file) {
  if (!isThere(file)) return {};
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [name, version, depends] = line.split('\t');
      return [name, { name, version, depends: depends === '' ? [] : depends.split(', ') }];
    }),
  );
}

let known;

/** `18.4`, as the binaries say it themselves. */
function serverVersion() {
  if (world.native === '') return undefined;
  known ??= execFileSync(join(world.native, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' });
  return /(\d+(?:\.\d+)*)/.exec(known)?.[1];
}
