/** The packages that the sandbox's mirror offers, and those that a host has: what dpkg would keep in its database. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isThere, world } from './world.mjs';

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

/** Debian's name of the processor. */
export const architecture = ARCHITECTURES[process.arch] ?? process.arch;

/** Present on every Debian host from the first day. */
const BASE = {
  apt: '2.6.1',
  'base-files': '12.4+deb12u11',
  bash: '5.2.15-2+b8',
  coreutils: '9.1-1',
  dpkg: '1.21.22',
  sudo: '1.9.13p3-1+deb12u2',
  systemd: '252.38-1~deb12u1',
  'util-linux': '2.38.1-5+deb12u3',
};

/** `{name, version, depends, size}` of every package of the mirror, by name. */
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

/** Installed packages by name. */
export function installed() {
  const base = Object.entries(BASE).map(([name, version]) => [name, { name, version, depends: [] }]);
  const own = isThere(databaseFile()) ? JSON.parse(readFileSync(databaseFile(), 'utf8')) : {};
  return { ...Object.fromEntries(base), ...own };
}

/** Records packages as installed. */
export function markInstalled(packages) {
  const all = isThere(databaseFile()) ? JSON.parse(readFileSync(databaseFile(), 'utf8')) : {};
  for (const item of packages) all[item.name] = item;
  mkdirSync(world.state, { recursive: true });
  writeFileSync(`${databaseFile()}.new`, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o644 });
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

function databaseFile() {
  return join(world.state, 'packages.json');
}

let known;

/** `18.4`, as the binaries say it themselves. */
function serverVersion() {
  if (world.native === '') return undefined;
  known ??= execFileSync(join(world.native, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' });
  return /(\d+(?:\.\d+)*)/.exec(known)?.[1];
}
