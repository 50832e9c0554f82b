/** Starting and stopping the real PostgreSQL server behind a cluster, as the host's user postgres. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isRunning } from './cluster.mjs';
import { hostPath, isThere, serviceEnvironment, world } from './world.mjs';

/** PostgreSQL refuses uid 0; where a folder plays the host and root runs it, this id stands for every other user. */
const NOBODY = 65534;
/** A socket's path must fit into 104 bytes on some systems, `/.s.PGSQL.65535` included. */
const LONGEST_SOCKET_FOLDER = 85;
/** Below the range that systems hand out for outgoing connections, so that a stopped server finds its port again. */
const PORTS = { first: 15432, count: 16000 };

/** Runs one of PostgreSQL's own programs as the server's user. Returns `{status, output}`. */
export function runNative(program, argv) {
  const command = [join(world.native, 'bin', program), ...argv];
  // A daemon must not keep what its starter had open, or a lock would outlive the command that held it.
  const closing = [
    '-c',
    'exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; exec "$@"',
    'sh',
    world.as,
    'postgres',
    ...command,
  ];
  const result = spawnSync('/bin/sh', closing, {
    cwd: '/',
    env: serviceEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (result.error) throw result.error;
  return { status: result.status ?? 1, output: `${result.stdout}${result.stderr}` };
}

/** Gives a file or folder to the server's user where that is another id than ours. */
export function giveToServer(path) {
  if (!world.isolated && process.getuid?.() === 0) chownSync(path, NOBODY, NOBODY);
}

/** Folder of the host's sockets, made when it is missing (it is gone after each start of a host). */
export function socketFolder() {
  const usual = hostPath('/var/run/postgresql');
  const short = `/tmp/capstan-lab-${createHash('sha256').update(world.state).digest('hex').slice(0, 10)}`;
  const folder = usual.length <= LONGEST_SOCKET_FOLDER ? usual : short;
  if (!isThere(folder)) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, folder === short ? 0o700 : 0o2775);
    giveToServer(folder);
  }
  return folder;
}

/**
 * The next free port, counted from a number of the host's own: several sandbox hosts share one machine's ports, and
 * two that install at the same moment must not both find the same one free.
 */
export async function freePort(taken) {
  const identity = `${world.host} ${readFileSync(hostPath('/etc/machine-id'), 'utf8')}`;
  const seed = createHash('sha256').update(identity).digest().readUInt32BE(0);
  for (let step = 0; step < PORTS.count; step += 1) {
    const port = PORTS.first + ((seed + step) % PORTS.count);
    if (!taken.includes(port) && (await canListen(port))) return port;
  }
  throw new Error('no free port found');
}

/** Starts the server. Returns `{code, text}`: 0, 2 when it runs already, 1 with the log's new lines. */
export async function startServer(cluster) {
  if (await isRunning(cluster)) return { code: 2, text: 'Cluster is already running.\n' };
  socketFolder();
  const stale = removeStalePidFile(cluster);
  const logSize = statSync(cluster.log, { throwIfNoEntry: false })?.size ?? 0;
  const options = ['config_file', 'hba_file', 'ident_file']
    .map((name) => [
      name,
      join(
        cluster.folder,
        { config_file: 'postgresql.conf', hba_file: 'pg_hba.conf', ident_file: 'pg_ident.conf' }[name],
      ),
    ])
    .map(([name, file]) => `-c ${name}="${file}"`)
    .join(' ');
  const result = runNative('pg_ctl', [
    'start',
    '-D',
    cluster.data,
    '-l',
    cluster.log,
    '-s',
    '-w',
    '-t',
    '60',
    '-o',
    options,
  ]);
  if (result.status === 0) return { code: 0, text: stale };
  return {
    code: 1,
    text: `${stale}The PostgreSQL server failed to start. Please check the log output:\n${readFrom(cluster.log, logSize)}${result.output}`,
  };
}

/** Stops the server. Returns `{code, text}`: 0, 2 when it does not run. */
export async function stopServer(cluster, mode = 'fast') {
  if (!(await isRunning(cluster))) {
    return { code: 2, text: `${removeStalePidFile(cluster)}Cluster is not running.\n` };
  }
  const result = runNative('pg_ctl', ['stop', '-s', '-w', '-D', cluster.data, '-m', mode]);
  return { code: result.status, text: result.output };
}

/** Makes the server read its configuration again. */
export function reloadServer(cluster) {
  const result = runNative('pg_ctl', ['-D', cluster.data, '-s', 'reload']);
  return { code: result.status, text: result.output };
}

/**
 * After a restart of the host its pids count from 1 again, so the number in an old pid file soon belongs to someone
 * else; PostgreSQL would take that for a running server.
 */
function removeStalePidFile(cluster) {
  const file = join(cluster.data, 'postmaster.pid');
  if (!isThere(file)) return '';
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (commandLine(pid).includes(cluster.data)) return '';
  rmSync(file, { force: true });
  return 'Removed stale pid file.\n';
}

function commandLine(pid) {
  const file = `/proc/${pid}/cmdline`;
  if (isThere('/proc/self/cmdline'))
    return isThere(file) ? readFileSync(file, 'utf8').replaceAll('\0', ' ') : '';
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
}

function readFrom(file, offset) {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= offset) return '';
  const bytes = Buffer.alloc(Math.min(size - offset, 65536));
  const descriptor = openSync(file, 'r');
  readSync(descriptor, bytes, 0, bytes.length, offset);
  closeSync(descriptor);
  return bytes.toString('utf8');
}

function canListen(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
