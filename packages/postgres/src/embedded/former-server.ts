import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CapstanError } from '@capstan/model';
import { isAlive, processInfo } from './process-info.js';

/**
 * Ends a server on this folder whose starter was killed, so that a new one may start. Throws `already_running` while
 * its starter lives. Returns whether one was ended.
 */
export async function endFormerServer(
  data: string,
  starterFile: string,
  log: (line: string) => void,
): Promise<boolean> {
  const starter = readStarter(starterFile);
  const lock = join(data, 'postmaster.pid');
  if (!existsSync(lock)) return removeSocket(starter, false);
  const [first = '', ...others] = readFileSync(lock, 'utf8').split('\n');
  const pid = Number(first);
  const found = pid > 0 ? processInfo(pid) : null;
  // With nobody there the new server replaces the file itself, after it has looked for shared memory still in use.
  if (!found) return removeSocket(starter, false);
  if (!isServerOn(data, found.command)) {
    // The id belongs to another program now. The server skips its own parent's id and still checks the shared memory,
    // which it could not do if the file were removed.
    writeFileSync(lock, [process.pid, ...others].join('\n'));
    return removeSocket(starter, false);
  }
  if (found.parent === starter.pid) {
    throw new CapstanError(
      'already_running',
      `PostgreSQL on ${data} is already running for process ${starter.pid}.`,
    );
  }
  log(`Stopping a PostgreSQL (process ${pid}) that an earlier start left behind.`);
  await endServer(pid);
  return removeSocket(starter, true);
}

/** Fast stop; after 4 s at once, after 2 s more by force. */
export async function endServer(pid: number): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', 4000],
    ['SIGQUIT', 2000],
    ['SIGKILL', 2000],
  ] as const) {
    if (!send(pid, signal)) return;
    const until = Date.now() + patienceMs;
    while (Date.now() < until) {
      if (!isAlive(pid)) return;
      await sleep(20);
    }
  }
  throw new CapstanError('server_stays', `PostgreSQL (process ${pid}) does not end.`);
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

function isServerOn(data: string, command: readonly string[]): boolean {
  const folder = command[command.indexOf('-D') + 1];
  return /(^|\/)postgres$/.test(command[0] ?? '') && command.includes('-D') && folder === data;
}

interface Starter {
  readonly pid: number;
  readonly socketFolder: string;
}

function readStarter(file: string): Starter {
  const [pid = '', socketFolder = ''] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return { pid: Number(pid), socketFolder };
}

function removeSocket({ socketFolder }: Starter, ended: boolean): boolean {
  if (basename(socketFolder).startsWith('capstan-')) rmSync(socketFolder, { recursive: true, force: true });
  return ended;
}
