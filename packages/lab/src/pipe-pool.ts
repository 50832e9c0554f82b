import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/** Both ends of a pipe as file descriptors. The reading end and the writing end are opened apart: one may block, the other not. */
export interface PipeEnds {
  readonly ours: number;
  readonly theirs: number;
}

/** The single digits that a POSIX shell may redirect, less the standard streams. */
const DESCRIPTORS = [3, 4, 5, 6, 7, 8, 9];

/**
 * Real pipes for the standard streams of commands. Node gives a child sockets, and on a socket `cat /dev/stdin`
 * and `>/dev/stderr` fail with ENXIO, which under sshd they never do. Node cannot call pipe(2); a named pipe is
 * no way out, since opening /dev/stdin blocks for ever on one whose writer is done. So a shell makes them: an
 * empty here-document is an unnamed pipe that the shell holds, and its ends are opened through /proc.
 */
export class PipePool {
  #maker: ChildProcess | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #stopped = false;

  /** Three pipes: the command's input (ours writes), output and errors (ours read); undefined where /proc has none. */
  openStreams(): Promise<readonly [PipeEnds, PipeEnds, PipeEnds] | undefined> {
    // One at a time: each request makes the shell give up the pipes of the one before.
    const turn = this.#turn.then(() => this.#open());
    this.#turn = turn.catch(() => {});
    return turn;
  }

  stop(): void {
    this.#stopped = true;
    this.#maker?.kill('SIGKILL');
  }

  async #open(): Promise<readonly [PipeEnds, PipeEnds, PipeEnds] | undefined> {
    if (process.platform !== 'linux' || this.#stopped) return undefined;
    const maker = this.#maker ?? this.#start();
    if (!(await answered(maker))) {
      this.#maker = undefined;
      return undefined;
    }
    const opened: PipeEnds[] = [];
    try {
      for (const [index, ourEnd] of (['write', 'read', 'read'] as const).entries()) {
        opened.push(openEnds(`/proc/${maker.pid}/fd/${DESCRIPTORS[index]}`, ourEnd));
      }
      if (!opened.every((pipe) => fstatSync(pipe.ours).isFIFO()))
        throw new Error('this shell keeps here-documents in files');
      return opened as unknown as readonly [PipeEnds, PipeEnds, PipeEnds];
    } catch {
      for (const { ours, theirs } of opened) {
        closeSync(ours);
        closeSync(theirs);
      }
      return undefined; // sockets do for all but /dev/stdin and its like
    }
  }

  #start(): ChildProcess {
    const documents = DESCRIPTORS.slice(0, 3);
    const script = [
      'while read -r go; do',
      `exec ${documents.map((descriptor) => `${descriptor}<<E`).join(' ')}`,
      ...documents.map(() => 'E'),
      'echo made',
      'done',
    ].join('\n');
    // Detached: a Ctrl-C in the terminal must not end it before the hosts have been stopped in order.
    const maker = spawn('/bin/sh', ['-c', script], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    maker.stdin.on('error', () => {}); // it died: `answered` says so
    maker.unref();
    this.#maker = maker;
    return maker;
  }
}

function openEnds(path: string, ourEnd: 'read' | 'write'): PipeEnds {
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
  const ours = openSync(path, (ourEnd === 'read' ? O_RDONLY : O_WRONLY) | O_NONBLOCK);
  try {
    return { ours, theirs: openSync(path, ourEnd === 'read' ? O_WRONLY : O_RDONLY) };
  } catch (error) {
    closeSync(ours);
    throw error;
  }
}

function answered(maker: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (alive: boolean): void => {
      maker.stdout?.removeListener('data', onData);
      maker.removeListener('exit', onExit);
      maker.removeListener('error', onExit);
      resolve(alive);
    };
    const onData = (): void => done(true);
    const onExit = (): void => done(false);
    maker.stdout?.on('data', onData);
    maker.once('exit', onExit);
    maker.once('error', onExit);
    if (maker.exitCode !== null || maker.signalCode !== null) onExit();
    else maker.stdin?.write('\n');
  });
}
