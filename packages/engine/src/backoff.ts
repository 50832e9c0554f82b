import type { EngineDependencies, EngineOptions } from './dependencies.js';

/** Waits between tries that double up to the limit; `reset` after something answered. */
export class Backoff {
  private next: number;

  constructor(
    private readonly clock: EngineDependencies['clock'],
    private readonly options: Pick<EngineOptions, 'backoffMs' | 'maxBackoffMs'>,
  ) {
    this.next = options.backoffMs;
  }

  reset(): void {
    this.next = this.options.backoffMs;
  }

  /** Ends early when the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    const ms = this.next;
    this.next = Math.min(ms * 2, this.options.maxBackoffMs);
    await this.clock.sleep(ms, signal);
  }
}
