import type { Problem } from '@capstan/model';

/** Ends a stream with a reason that its client can match on: it may not watch any more, or there is nothing to watch. */
export class WatchRefused extends Error {
  override readonly name = 'WatchRefused';
  constructor(readonly problems: readonly Problem[]) {
    super(problems[0]?.code ?? 'refused');
  }
}

/**
 * What one watcher is told, one after the other, made only when it asks: a watcher that is slow gets fewer and larger
 * frames, never a queue. `step` gives the next frame or null at the end; `closed` runs once, at whatever end.
 */
export class Watch<T> implements AsyncIterableIterator<T> {
  readonly #stop = new AbortController();
  #closed = false;

  constructor(
    private readonly step: (signal: AbortSignal) => Promise<T | null>,
    private readonly closed: () => void,
  ) {}

  async next(): Promise<IteratorResult<T, undefined>> {
    if (this.#stop.signal.aborted) return this.return();
    try {
      const value = await this.step(this.#stop.signal);
      if (value !== null && !this.#stop.signal.aborted) return { value, done: false };
    } catch (error) {
      await this.return();
      throw error;
    }
    return this.return();
  }

  /** Unlike that of a generator it does not wait for the step under way: that one may wait for seconds. */
  return(): Promise<IteratorResult<T, undefined>> {
    this.#stop.abort();
    if (!this.#closed) {
      this.#closed = true;
      this.closed();
    }
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
