import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** What the operating system says of a running process. */
export interface ProcessInfo {
  readonly parent: number;
  /** Its argument list; empty for one that has ended but was not collected yet. */
  readonly command: readonly string[];
}

/** The process with this id, or null when there is none. */
export function processInfo(pid: number): ProcessInfo | null {
  return existsSync('/proc/self/stat') ? fromProc(pid) : fromPs(pid);
}

/** Whether a signal could reach somebody; true also for processes of other users. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function fromProc(pid: number): ProcessInfo | null {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
    // The name in brackets may hold anything, so fields are counted from the last bracket.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return { parent, command };
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

function fromPs(pid: number): ProcessInfo | null {
  const { stdout, status } = spawnSync('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  if (status !== 0) return null;
  const [parent = '0', ...command] = stdout.trim().split(/\s+/);
  return { parent: Number(parent), command };
}
