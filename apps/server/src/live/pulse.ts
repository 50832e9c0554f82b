export interface PulseOptions {
  /** Reads what is watched; true when there was anything new. `isBeat`: watchers are told in any case. */
  readonly read: (isBeat: boolean) => Promise<boolean>;
  readonly coalesceMs: number;
  readonly heartbeatMs: number;
  readonly report: (error: unknown) => void;
}

/** How long a database that does not answer is left alone, ms. */
const RETRY_MS = 1_000;

/**
 * When something watched is read, and when its watchers are told. A wake-up is a hint: it causes one read, at most one
 * in `coalesceMs`, the first after a pause at once. Without any, `heartbeatMs` does, so that a lost hint costs no more
 * than that, and an empty beat means that nothing happened, not that nobody looked.
 */
export class Pulse {
  #beat = 0;
  #readAt = Number.NEGATIVE_INFINITY;
  #told = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #due = Number.POSITIVE_INFINITY;
  #reading: Promise<void> | null = null;
  #wokenMeanwhile = false;
  #failing = false;
  #stopped = true;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly options: PulseOptions) {}

  /** Counts the moments at which watchers were told something. */
  get beat(): number {
    return this.#beat;
  }

  /** Begins, or goes on after {@link rest}; what happened meanwhile is read before this resolves. */
  async start(): Promise<void> {
    this.#stopped = false;
    // Many that come at once share one read.
    const { coalesceMs, heartbeatMs } = this.options;
    if (performance.now() - this.#readAt < coalesceMs && this.#beat > 0)
      return this.#schedule(this.#told + heartbeatMs);
    await (this.#reading ?? this.#run());
  }

  /** Nobody watches: nothing is read until {@link start}. */
  rest(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#due = Number.POSITIVE_INFINITY;
  }

  wake(): void {
    if (this.#reading) this.#wokenMeanwhile = true;
    else this.#schedule(this.#readAt + this.options.coalesceMs);
  }

  /** Resolves at the next beat after this one, or when the signal aborts. */
  wait(beat: number, signal: AbortSignal): Promise<void> {
    if (this.#beat !== beat || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }

  #schedule(at: number): void {
    if (this.#stopped || at >= this.#due) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#due = at;
    this.#timer = setTimeout(() => void this.#run(), Math.max(0, at - performance.now()));
  }

  #run(): Promise<void> {
    this.#timer = null;
    this.#due = Number.POSITIVE_INFINITY;
    this.#reading = this.#read().finally(() => {
      this.#reading = null;
      const { coalesceMs, heartbeatMs } = this.options;
      const next = this.#failing ? this.#readAt + RETRY_MS : this.#told + heartbeatMs;
      this.#schedule(this.#wokenMeanwhile ? this.#readAt + coalesceMs : next);
      this.#wokenMeanwhile = false;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    this.#readAt = performance.now();
    try {
      const isBeat = this.#readAt - this.#told >= this.options.heartbeatMs;
      const isNew = await this.options.read(isBeat);
      this.#failing = false;
      if (isNew || isBeat) this.#tell();
    } catch (error) {
      // Watchers hear nothing, which says that what they have is old; the next try is near.
      if (!this.#failing) this.options.report(error);
      this.#failing = true;
    }
  }

  #tell(): void {
    this.#beat += 1;
    this.#told = performance.now();
    for (const wake of [...this.#waiting]) wake();
  }
}
