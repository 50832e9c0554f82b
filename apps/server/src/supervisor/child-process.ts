import { type ChildProcess, fork } from 'node:child_process';
import type { ToChild, ToSupervisor } from '../child-messages.js';
import type { RoleConfig } from '../config.js';
import type { Logger } from '../log.js';

/** How long a child may take from its start to its `ready`, ms. */
const START_MS = 60_000;
/** A child that lived this long starts again at once; one that dies young waits longer each time. */
const STEADY_MS = 30_000;
const BACKOFF_MS = [200, 1_000, 2_000, 5_000, 10_000];

export type ChildStart =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly line: string; readonly portTaken: boolean };

/** A role in a process of its own, started again whenever it dies. */
export class SupervisedChild {
  #process: ChildProcess | null = null;
  #stopping = false;
  #wasReady = false;
  #deaths = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly role: 'api' | 'worker',
    private readonly file: string,
    private readonly config: () => RoleConfig,
    private readonly log: Logger,
  ) {}

  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  /** The first start: a refusal is an answer here, and nothing is tried again. */
  async start(): Promise<ChildStart> {
    return this.#launch();
  }

  /** Ends it for good; after `graceMs` it is killed. Resolves when the process is gone. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    await this.#end(graceMs);
  }

  /** Ends it; it comes back with the configuration of that moment. */
  async restart(graceMs: number): Promise<void> {
    await this.#end(graceMs);
  }

  async #end(graceMs: number): Promise<void> {
    const child = this.#process;
    if (!child) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    if (child.connected) child.send({ kind: 'stop' } satisfies ToChild, () => undefined);
    else child.kill('SIGTERM');
    const kill = setTimeout(() => {
      this.log.warn(`${this.role} did not end in ${graceMs} ms; killed`);
      child.kill('SIGKILL');
    }, graceMs);
    await gone;
    clearTimeout(kill);
  }

  #launch(): Promise<ChildStart> {
    return new Promise((resolve) => {
      const began = Date.now();
      const child = fork(this.file, [this.role], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      this.#process = child;
      let answered = false;
      const answer = (start: ChildStart): void => {
        if (answered) return;
        answered = true;
        clearTimeout(tooLate);
        resolve(start);
      };
      const tooLate = setTimeout(() => {
        this.log.warn(`${this.role} was not ready in ${START_MS} ms; killed`);
        child.kill('SIGKILL');
      }, START_MS);
      child.on('message', (message: ToSupervisor) => {
        if (message.kind === 'hello')
          child.send({ kind: 'start', config: this.config() } satisfies ToChild, () => undefined);
        else {
          this.#wasReady ||= message.kind === 'ready';
          answer(message);
        }
      });
      child.once('error', (error) => this.log.error({ err: error }, `${this.role} cannot be started`));
      child.once('exit', (code, signal) => {
        answer({
          kind: 'refused',
          line: `${this.role} ended before it was ready (${signal ?? code})`,
          portTaken: false,
        });
        this.#process = null;
        if (this.#wasReady && !this.#stopping) this.#again(Date.now() - began, signal ?? `code ${code}`);
      });
    });
  }

  #again(livedMs: number, how: string): void {
    this.#deaths = livedMs > STEADY_MS ? 1 : this.#deaths + 1;
    const wait = BACKOFF_MS[Math.min(this.#deaths, BACKOFF_MS.length) - 1] ?? 0;
    this.log.warn(`${this.role} ended (${how}); starting it again in ${wait} ms`);
    this.#timer = setTimeout(() => {
      this.#launch().then(
        (start) => start.kind === 'refused' && this.log.warn(`${this.role}: ${start.line}`),
        (error: unknown) => this.log.error({ err: error }, `${this.role} cannot be started`),
      );
    }, wait);
  }
}
