import { type Clock, type Maintenance, systemClock } from '@capstan/engine';
import type { Logger } from '../log.js';

const DAY_MS = 86_400_000;

/** A start has better things to do; and a machine that is off every night must have its turn too. */
const FIRST_MS = 60_000;
const LOOK_MS = 3_600_000;

/** Looks every hour whether this day's retention was done, in every worker; the database lets one of them do it. */
export function pruneDaily(
  maintenance: Pick<Maintenance, 'pruneDaily'>,
  log: Pick<Logger, 'info' | 'error'>,
  { firstMs = FIRST_MS, lookMs = LOOK_MS, clock = systemClock as Pick<Clock, 'sleep'> } = {},
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loop = async (): Promise<void> => {
    // Jitter keeps the workers apart.
    await clock.sleep(firstMs * (1 + Math.random()), stopping.signal);
    while (!stopping.signal.aborted) {
      try {
        const report = await maintenance.pruneDaily(
          { kind: 'service', id: 'worker' },
          DAY_MS,
          stopping.signal,
        );
        if (report) log.info({ items: report.items, left: report.left }, 'retention was applied');
      } catch (error) {
        log.error({ err: error }, 'retention was not finished; what is left goes with the next run');
      }
      await clock.sleep(lookMs * (0.9 + Math.random() * 0.2), stopping.signal);
    }
  };
  const looping = loop();
  return {
    async stop() {
      stopping.abort();
      await looping;
    },
  };
}
