import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process named so that a reused pid is never taken for it. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start in clock ticks since boot, as text; undefined where there is no /proc. */
  readonly startTime: string | undefined;
}

/** The identity of a live process; undefined when there is none (a zombie counts as none). */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const stat = readStat(pid);
  if (stat) return stat.state === 'Z' ? undefined : { pid, startTime: stat.startTime };
  if (process.platform === 'linux') return undefined;
  try {
    process.kill(pid, 0);
    return { pid, startTime: undefined };
  } catch {
    return undefined;
  }
}

/** Whether the very process that was recorded still lives. */
export function isAlive(recorded: ProcessIdentity): boolean {
  const now = identityOf(recorded.pid);
  return now !== undefined && now.startTime === recorded.startTime;
}

/** Pids of the process group `group`, as the machine numbers them. */
export function groupMembers(group: number): number[] {
  return allPids().filter((pid) => readStat(pid)?.group === group);
}

/** Live pids in the pid namespace of process `pid`, that one included. */
export function namespaceMembers(pid: number): number[] {
  const wanted = readLink(`/proc/${pid}/ns/pid`);
  if (wanted === undefined) return [];
  return allPids().filter(
    (other) => readLink(`/proc/${other}/ns/pid`) === wanted && identityOf(other) !== undefined,
  );
}

/**
 * Live pids that carry `marker` (`NAME=value`) in their environment or work inside `folder`. The second half is
 * for programs that write their title over their environment, as PostgreSQL does.
 */
export function markedProcesses(marker: string, folder: string): number[] {
  return allPids().filter((pid) => {
    if (pid === process.pid || identityOf(pid) === undefined) return false;
    const environment = readText(`/proc/${pid}/environ`);
    if (environment !== undefined && `\0${environment}`.includes(`\0${marker}\0`)) return true;
    const workingFolder = readLink(`/proc/${pid}/cwd`);
    return workingFolder === folder || workingFolder?.startsWith(`${folder}/`) === true;
  });
}

interface Stat {
  readonly state: string;
  readonly group: number;
  readonly startTime: string;
}

function readStat(pid: number): Stat | undefined {
  const text = readText(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The command name stands in parentheses and may hold spaces and parentheses itself.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', group: Number(fields[2]), startTime: fields[19] ?? '' };
}

function allPids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return []; // no /proc: nothing can be told of other processes
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // ended meanwhile, or not ours to read
  }
}

function readLink(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined; // ended meanwhile, or not ours to read
  }
}
