import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { Invocation } from './namespace.js';
import type { PipePool } from './pipe-pool.js';
import { groupMembers } from './process-table.js';

/** How a command ended: a number, or the signal's name with `SIG`. */
export type CommandEnd = { readonly code: number } | { readonly signal: NodeJS.Signals };

/** A command that runs on a host for one SSH channel. */
export interface RunningCommand {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves at the end of the command itself; what it left in the background may still hold the streams. */
  readonly ended: Promise<CommandEnd>;
  /** Sends a signal to the command's process group. */
  signal(signal: NodeJS.Signals): void;
}

/** Where and how a command runs. */
export interface CommandPlace {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly pipes: PipePool;
}

/** Starts a command as the leader of its own session. */
export async function startCommand(invocation: Invocation, place: CommandPlace): Promise<RunningCommand> {
  const { child, stdin, stdout, stderr } = await spawnWithStreams(invocation, place);
  let over = false;
  const ended = new Promise<CommandEnd>((resolve) => {
    child.once('error', () => resolve({ code: 127 }));
    child.once('exit', (code, signal) => resolve(signal ? { signal } : { code: code ?? 255 }));
  });
  void ended.then(() => {
    over = true;
    stdin.destroy();
  });
  stdin.on('error', () => {}); // nobody reads any more: the command's end tells the channel
  stdin.once('finish', () => stdin.destroy()); // a pipe has no half-close; closing our end is its end of file
  return {
    stdin,
    stdout,
    stderr,
    ended,
    signal(signal) {
      if (over || child.pid === undefined) return;
      for (const pid of groupTargets(child.pid, invocation)) sendSignal(pid, signal);
    },
  };
}

interface Spawned {
  readonly child: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

async function spawnWithStreams(invocation: Invocation, place: CommandPlace): Promise<Spawned> {
  const { file, args } = invocation;
  const options = { cwd: place.cwd, env: place.env, detached: true };
  const pipes = await place.pipes.openStreams();
  if (!pipes) {
    const child = spawn(file, [...args], { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    return { child, stdin: child.stdin, stdout: child.stdout, stderr: child.stderr };
  }
  const [input, output, errors] = pipes;
  try {
    const child = spawn(file, [...args], { ...options, stdio: pipes.map((pipe) => pipe.theirs) });
    return {
      child,
      stdin: new Socket({ fd: input.ours, readable: false, writable: true }),
      stdout: new Socket({ fd: output.ours, readable: true, writable: false }),
      stderr: new Socket({ fd: errors.ours, readable: true, writable: false }),
    };
  } finally {
    // Only the child may hold these: the end of its output is the moment its last copy closes.
    for (const pipe of pipes) closeSync(pipe.theirs);
  }
}

/**
 * The group's processes without the one that only waits at the border of the namespace: if that one died of the
 * signal, the channel would report the end of a command which may have ignored it.
 */
function groupTargets(leader: number, invocation: Invocation): number[] {
  const members = groupMembers(leader);
  if (members.length === 0) return [-leader]; // no /proc here
  return invocation.file.endsWith('/nsenter') ? members.filter((pid) => pid !== leader) : members;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
