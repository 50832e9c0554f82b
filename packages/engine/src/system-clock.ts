import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './ports/stores.js';

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  elapsed: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await delay(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      // An abort only ends the wait early; whoever sleeps looks at the signal itself.
      if (!signal?.aborted) throw error;
    }
  },
};
