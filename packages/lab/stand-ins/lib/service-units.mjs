/** The units that a sandbox host knows: `postgresql` and one `postgresql@version-name` for each cluster. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusters, findCluster, isRunning } from './cluster.mjs';
import { installed, serverMajor } from './package-archive.mjs';
import { reloadServer, startServer, stopServer } from './server-process.mjs';
import { isThere, world } from './world.mjs';

/** `postgresql.service` → `postgresql`; undefined for a unit that this host does not have. */
export function knownUnit(word) {
  const name = word.replace(/\.service$/, '');
  if (installed()[`postgresql-${serverMajor()}`] === undefined) return undefined;
  if (name === 'postgresql') return name;
  const match = /^postgresql@(\d+)-(.+)$/.exec(name);
  return match !== null && findCluster(match[1], match[2]) !== undefined ? name : undefined;
}

/** Whether a unit counts as active. */
export async function unitActive(unit) {
  if (unit === 'postgresql') return readUnits().postgresql?.active === true;
  return await isRunning(clusterOf(unit));
}

/** Whether a unit starts with the host. A cluster's own unit follows `postgresql` and its start.conf. */
export function unitEnabled(unit) {
  return readUnits()[unit]?.enabled === true;
}

/** Starts a unit: `{code, text}`. Debian's cluster unit ignores a failed start, so the code stays 0 there. */
export async function startUnit(unit) {
  if (unit !== 'postgresql') {
    const result = await startServer(clusterOf(unit));
    return { code: 0, text: result.code === 1 ? result.text : '' };
  }
  writeUnitState('postgresql', { active: true });
  const texts = [];
  for (const cluster of clusters()) {
    if (cluster.start !== 'auto' || cluster.owner === '<unknown>') continue;
    const result = await startServer(cluster);
    if (result.code === 1) texts.push(result.text);
  }
  return { code: 0, text: texts.join('') };
}

/** Stops a unit and what belongs to it. */
export async function stopUnit(unit) {
  const affected = unit === 'postgresql' ? clusters() : [clusterOf(unit)];
  if (unit === 'postgresql') writeUnitState('postgresql', { active: false });
  for (const cluster of affected) {
    const result = await stopServer(cluster);
    if (result.code === 1) return result;
  }
  return { code: 0, text: '' };
}

/** Makes the servers of a unit read their configuration again. */
export async function reloadUnit(unit) {
  for (const cluster of unit === 'postgresql' ? clusters() : [clusterOf(unit)]) {
    if (!(await isRunning(cluster))) continue;
    const result = reloadServer(cluster);
    if (result.code !== 0) return result;
  }
  return { code: 0, text: '' };
}

/** Changes what is remembered of a unit. */
export function writeUnitState(unit, change) {
  const units = readUnits();
  units[unit] = { ...units[unit], ...change };
  mkdirSync(world.state, { recursive: true });
  writeFileSync(`${unitFile()}.new`, `${JSON.stringify(units)}\n`, { mode: 0o644 });
  renameSync(`${unitFile()}.new`, unitFile());
}

function readUnits() {
  return isThere(unitFile()) ? JSON.parse(readFileSync(unitFile(), 'utf8')) : {};
}

function unitFile() {
  return join(world.state, 'units.json');
}

function clusterOf(unit) {
  const [, version, name] = /^postgresql@(\d+)-(.+)$/.exec(unit);
  return findCluster(version, name);
}
