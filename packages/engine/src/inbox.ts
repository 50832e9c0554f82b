import type { Input } from './decide.js';

/**
 * What a driver has learnt and not yet decided on. An urgent input wakes the driver at once; a lazy one rides with the
 * next commit, or wakes it after `rideMs` (S4): that is what lets a short job cost one commit.
 */
export class Inbox {
  private inputs: Input[] = [];
  private poked = false;
  private wake: (() => void) | null = null;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly rideMs: number) {}

  post(input: Input, urgency: 'now' | 'lazy'): void {
    this.inputs.push(input);
    if (urgency === 'now') this.poke();
    else this.timer ??= setTimeout(() => this.poke(), this.rideMs);
  }

  /** Wakes the driver although there is no input: something may have changed elsewhere. */
  poke(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.poked = true;
    this.wake?.();
  }

  /** Puts inputs back in front: their commit did not happen. */
  restore(inputs: readonly Input[]): void {
    this.inputs = [...inputs, ...this.inputs];
    this.poked = true;
  }

  async next(): Promise<Input[]> {
    if (!this.poked) await new Promise<void>((resolve) => (this.wake = resolve));
    this.wake = null;
    // What ended in this tick of the event loop is committed together.
    await new Promise((resolve) => setImmediate(resolve));
    this.poked = false;
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const inputs = this.inputs;
    this.inputs = [];
    return inputs;
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer);
    this.poke();
  }
}
