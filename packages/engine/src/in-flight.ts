import { setMaxListeners } from 'node:events';

/** What a driver has in flight, each piece of work under the name of what it is for. */
export class InFlight {
  private readonly running = new Map<string, AbortController>();
  /** Work that is over and whose inputs wait to be learnt: until then the rows would have it done again. */
  private readonly finished: string[] = [];
  private readonly ending = new AbortController();

  constructor(
    /** Work threw: a bug or lost infrastructure. Resolves when it may be tried again. */
    private readonly failed: (name: string, error: unknown) => Promise<void>,
    private readonly poke: () => void,
  ) {
    // Every wait of every node listens to it; Node's warning at eleven listeners means leaks, and these end with their waits.
    setMaxListeners(0, this.ending.signal);
  }

  /** Aborted when the driver ends: every wait of it listens to this. */
  get end(): AbortSignal {
    return this.ending.signal;
  }

  get isEmpty(): boolean {
    return this.running.size === 0;
  }

  has(name: string): boolean {
    return this.running.has(name);
  }

  async start(name: string, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const control = new AbortController();
    this.running.set(name, control);
    if (this.ending.signal.aborted) control.abort();
    try {
      await run(control.signal);
    } catch (error) {
      await this.failed(name, error);
    }
    this.finished.push(name);
    this.poke();
  }

  abort(name: string): void {
    this.running.get(name)?.abort();
  }

  /** To be called when the inputs so far are taken: what ended before may be started again. */
  settle(): void {
    for (const name of this.finished.splice(0)) this.running.delete(name);
  }

  /** Ends all waits and work; `why` is the reason that the first caller gave. */
  stop(why: string): void {
    if (!this.ending.signal.aborted) this.ending.abort(why);
    for (const work of this.running.values()) work.abort();
  }
}
