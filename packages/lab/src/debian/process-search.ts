import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a host may take to end its services before it is killed. */
export const POWER_OFF_MS = 15_000;

/** A process by pid and start time: a reused pid is another one. */
export interface FoundProcess {
  readonly pid: number;
  readonly startedAt: string;
  readonly command: readonly string[];
}

/** Every process of this machine whose command line the condition accepts; never this one. */
export function findProcesses(accept: (command: readonly string[]) => boolean): readonly FoundProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => seen(Number(name)))
    .filter((one) => accept(one.command));
}

/** Processes whose root or working folder lies in a folder, or that were given it as an argument. */
export function processesIn(folder: string): readonly FoundProcess[] {
  const within = (path: string): boolean => path === folder || path.startsWith(`${folder}/`);
  return findProcesses(() => true).filter(
    (one) => one.command.some(within) || ['root', 'cwd'].some((link) => within(linkOf(one.pid, link))),
  );
}

/** Sends TERM, waits, then KILL; resolves when none of them is left. Throws when one outlives KILL by 10 s. */
export async function endProcesses(found: readonly FoundProcess[], graceMs = 2_000): Promise<void> {
  for (const one of found) if (stillThere(one)) signal(one.pid, 'SIGTERM');
  await gone(found, graceMs);
  for (const one of found) if (stillThere(one)) signal(one.pid, 'SIGKILL');
  await gone(found, 10_000);
  const left = found.filter(stillThere);
  if (left.length > 0) throw new Error(`processes do not end: ${left.map((one) => one.pid).join(', ')}`);
}

/** Pids of the direct children. */
export function childrenOf(pid: number): readonly number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

/** Whether a process of that pid lives. */
export function pidAlive(pid: number): boolean {
  return seen(pid).length > 0;
}

async function gone(found: readonly FoundProcess[], ms: number): Promise<void> {
  const end = Date.now() + ms;
  while (found.some(stillThere) && Date.now() < end) await sleep(50);
}

function stillThere(one: FoundProcess): boolean {
  return seen(one.pid).some((now) => now.startedAt === one.startedAt);
}

function seen(pid: number): FoundProcess[] {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!stat || fields[0] === 'Z') return [];
  const command = read(`/proc/${pid}/cmdline`).split('\0').filter(Boolean);
  return [{ pid, startedAt: fields[19] ?? '', command }];
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // It ended while the table was read.
  }
}

function linkOf(pid: number, name: string): string {
  try {
    return readlinkSync(`/proc/${pid}/${name}`);
  } catch {
    return ''; // It ended while the table was read, or is a part of the kernel.
  }
}
