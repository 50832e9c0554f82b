/** PostgreSQL clusters as postgresql-common lays them out: /etc/postgresql/<version>/<name> and what it says. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { hostPath, isThere } from './world.mjs';

/** Folder of all cluster configurations. */
export function configurationRoot() {
  return process.env.PG_CLUSTER_CONF_ROOT ?? hostPath('/etc/postgresql');
}

/** Folder of one cluster's configuration. */
export function configurationFolder(version, name) {
  return join(configurationRoot(), version, name);
}

/** Every configured cluster, versions and names in order. A folder counts when it holds a postgresql.conf. */
export function clusters() {
  const root = configurationRoot();
  return folders(root)
    .toSorted((a, b) => Number(a) - Number(b))
    .flatMap((version) =>
      folders(join(root, version))
        .filter((name) => isThere(join(root, version, name, 'postgresql.conf')))
        .toSorted()
        .map((name) => describeCluster(version, name)),
    );
}

/** One cluster, or undefined when there is none of that version and name. */
export function findCluster(version, name) {
  return clusters().find((cluster) => cluster.version === version && cluster.name === name);
}

/** What the configuration of a cluster says, ALTER SYSTEM included. */
export function describeCluster(version, name) {
  const folder = configurationFolder(version, name);
  const base = readConfiguration(join(folder, 'postgresql.conf'));
  const data = base.data_directory ?? hostPath(`/var/lib/postgresql/${version}/${name}`);
  const settings = {
    ...base,
    ...readConfiguration(join(data, 'postgresql.auto.conf')),
    data_directory: data,
  };
  return {
    version,
    name,
    folder,
    data,
    // Files belong to the one id that a sandbox host has; whose they are meant to be is known all the same.
    owner: isThere(data) ? 'postgres' : '<unknown>',
    port: Number(settings.port ?? 5432),
    sockets: (settings.unix_socket_directories ?? '').split(',')[0].trim(),
    log: hostPath(`/var/log/postgresql/postgresql-${version}-${name}.log`),
    start: startMode(folder),
  };
}

/** Whether something answers on the cluster's socket. */
export async function isRunning(cluster) {
  const path = join(cluster.sockets, `.s.PGSQL.${cluster.port}`);
  if (!isThere(path)) return false;
  return await new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Sets one setting in a configuration file, in the place where it stands commented out if it does. */
export function writeSetting(file, name, value) {
  const line = `${name} = ${/^[A-Za-z0-9_]+$/.test(value) ? value : `'${value.replaceAll("'", "''")}'`}`;
  const lines = readFileSync(file, 'utf8').split('\n');
  const at = lines.findIndex((text) => new RegExp(`^\\s*#?\\s*${name}\\s*=`).test(text));
  if (at === -1) lines.splice(lines.length - 1, 0, line);
  else lines[at] = line;
  writeFileSync(file, lines.join('\n'));
}

/** `name = value` lines of a configuration file as an object; absent or unreadable means empty, as for pg_lsclusters. */
export function readConfiguration(file) {
  if (!isThere(file)) return {};
  const settings = {};
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const match = /^\s*([\w.]+)\s*(?:=|\s)\s*(?:'((?:[^']|'')*)'|([^#\s]+))/.exec(line);
    if (match !== null) settings[match[1].toLowerCase()] = match[2]?.replaceAll("''", "'") ?? match[3];
  }
  return settings;
}

function startMode(folder) {
  const file = join(folder, 'start.conf');
  if (!isThere(file)) return 'auto';
  const words = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');
  return words[0] ?? 'auto';
}

function folders(path) {
  if (!isThere(path)) return [];
  return readdirSync(path).filter((name) =>
    statSync(join(path, name), { throwIfNoEntry: false })?.isDirectory(),
  );
}
