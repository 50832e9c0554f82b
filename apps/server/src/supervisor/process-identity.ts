import { readFileSync } from 'node:fs';

/** A process named so that a reused pid is never taken for it. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start in clock ticks since boot; null where there is no /proc, and then only the pid is compared. */
  readonly started: string | null;
}

/** The identity of a living process, else null. */
export function identityOf(pid: number): ProcessIdentity | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null;
  }
  return { pid, started: startOf(pid) };
}

/** Whether exactly this process still lives. */
export function isAlive(recorded: ProcessIdentity): boolean {
  const now = identityOf(recorded.pid);
  return now !== null && (recorded.started === null || now.started === recorded.started);
}

function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in parentheses and may hold spaces and parentheses itself.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null; // no /proc here, or ended meanwhile
  }
}
