import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { lastLines } from './cluster.js';
import type { ServerAddress } from './server-address.js';
import type { ServerIdentity } from './server-identity.js';
import { CHILD_ENV, commandOf } from './server-identity.js';

/** The server's main process while it lives. */
export interface ServerProcess {
  readonly pid: number;
  /** Null while it runs, else a sentence with the end of its log. */
  end(): string | null;
  /** Resolves with that sentence; keeps this process alive until then. */
  gone(): Promise<string>;
  stop(stopServer: (pid: number) => Promise<void>): Promise<void>;
}

export interface ServerCommand {
  readonly identity: ServerIdentity;
  readonly data: string;
  readonly address: ServerAddress;
  readonly settings: readonly string[];
  readonly logFile: string;
}

const LOG_LIMIT = 8 * 1024 * 1024;

/** Starts the server in a session of its own, so that Ctrl-C reaches it only through us, after our last writes. */
export function spawnServer(command: ServerCommand): ServerProcess {
  const { address, data, identity } = command;
  const settings = [
    `listen_addresses=${address.socketFolder ? '' : address.host}`,
    `unix_socket_directories=${address.socketFolder ?? ''}`,
    'unix_socket_permissions=0700',
    'log_timezone=UTC',
    'timezone=UTC',
    'jit=off',
    // Each process of ours may hold some twenty.
    'max_connections=200',
    ...command.settings,
  ];
  const args = ['-D', data, '-p', String(address.port), ...settings.flatMap((setting) => ['-c', setting])];
  const [file, rest] = commandOf(identity, 'postgres', args);
  const log = openLog(command.logFile);
  const from = statSync(command.logFile).size;
  const child = spawn(file, rest, {
    ...identity.user,
    env: CHILD_ENV,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let end: string | null = null;
  const gone = new Promise<string>((resolve) => {
    const settle = (how: string) => {
      end ??= `PostgreSQL ended (${how}): ${lastLines(readFileSync(command.logFile).subarray(from).toString('utf8'))}`;
      resolve(end);
    };
    child.once('error', (error) => settle(error.message));
    child.once('exit', (code, signal) => settle(String(signal ?? code)));
  });
  child.unref();
  const { pid } = child;
  const release = pid === undefined ? () => undefined : watchForOurDeath(identity, data, pid);
  return {
    pid: pid ?? 0,
    end: () => end,
    gone() {
      child.ref();
      return gone;
    },
    async stop(stopServer) {
      child.ref();
      if (end === null && pid !== undefined) await stopServer(pid);
      await gone;
      release();
    },
  };
}

/**
 * A shell that waits for the end of its input, which comes when this process ends in any way, and then stops the server
 * if the folder still names it. Without it a kill -9 would leave a database running until the next start.
 */
function watchForOurDeath(identity: ServerIdentity, data: string, pid: number): () => void {
  const script = 'read -r _; [ "$(head -n 1 "$1/postmaster.pid" 2>/dev/null)" = "$2" ] && kill -INT "$2"';
  const watcher = spawn('/bin/sh', ['-c', script, 'sh', data, String(pid)], {
    ...identity.user,
    env: CHILD_ENV,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Best effort: without the watcher the next start still finds and stops the server.
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  return () => watcher.stdin.destroy();
}

function openLog(file: string): number {
  const log = openSync(file, 'a', 0o600);
  if (statSync(file).size > LOG_LIMIT) truncateSync(file);
  return log;
}
