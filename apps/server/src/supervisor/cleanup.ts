import type { Logger } from '../log.js';

/** What was started, to be ended in the opposite order. */
export class Cleanup {
  readonly #steps: { what: string; run: () => Promise<void> }[] = [];
  #over = false;

  constructor(private readonly log: Logger) {}

  /**
   * Starts something and remembers how to end it, even when nobody waits for it any more: a stop that comes while it
   * is still starting ends it as soon as it stands. What a start that was given up begins after that is ended and refused.
   */
  async started<T>(what: string, starting: Promise<T>, end: (value: T) => Promise<void>): Promise<T> {
    if (this.#over) {
      await end(await starting);
      throw new Error(`${what} was started after the stop`);
    }
    const settled = starting.then(
      (value) => ({ value }),
      () => null, // the caller gets the error; there is nothing to end
    );
    this.#steps.push({
      what,
      async run() {
        const result = await settled;
        if (result) await end(result.value);
      },
    });
    return starting;
  }

  /** One after the other, newest first; a step that fails is reported and does not keep the others from running. */
  async run(): Promise<void> {
    this.#over = true;
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      const { what, run } = step;
      await run().catch((error: unknown) => this.log.error({ err: error }, `${what} did not end cleanly`));
    }
  }
}
