import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WakeUps } from '@capstan/engine';
import type { Runner, WorkerEvents } from 'graphile-worker';
import { Logger, run as runQueue } from 'graphile-worker';
import type pg from 'pg';
import type { Listener } from './listener.js';
import { isLostConnection, overLostConnections } from './lost-connection.js';
import type { Access } from './pool.js';
import { createPool } from './pool.js';
import { run } from './sql/statement.js';
import { TEND_QUEUE } from './sql/tend-queue.js';
import { CHANGED_CHANNEL, WAKE, WAKE_TASK } from './sql/wake.js';

export interface WakeUpOptions {
  /** How often a process says that its part of the queue lives, ms; default 5,000. Four missed beats mean it does not. */
  readonly beatMs?: number;
}

type Handler = Parameters<WakeUps['listen']>[0];

/** How long the queue may take to come back before it is started anew, ms. */
const RESTART_MS = 500;

/**
 * Wake-ups through Graphile Worker. Its jobs carry an id and end in milliseconds; ownership, retries and locks are not
 * its matter (S1), so whatever goes wrong here costs at most one sweep.
 */
export function createWakeUps(
  access: Access,
  pool: pg.Pool,
  listener: Listener,
  options: WakeUpOptions = {},
): WakeUps {
  const beatMs = options.beatMs ?? 5000;
  const stopped = new AbortController();
  let running: Promise<void> | null = null;
  let unlisten: (() => Promise<void>) | null = null;

  return {
    async wake(operationId) {
      await overLostConnections(() => run(pool, WAKE, [operationId]));
    },
    async listen(handler) {
      unlisten = await listener.listen(CHANGED_CHANNEL, (operationId) => handler.changed(operationId));
      listener.onReconnect(() => void tellAll(pool, handler, access.log));
      const first = await startQueue(access, handler, beatMs);
      running = keepQueue(first, () => startQueue(access, handler, beatMs), stopped.signal, access.log);
    },
    async stop() {
      stopped.abort();
      await unlisten?.();
      await running;
    },
  };
}

interface Queue {
  /** Resolves when the queue's runner is over, asked for or not. */
  readonly over: Promise<void>;
  stop(): Promise<void>;
}

async function startQueue(access: Access, handler: Handler, beatMs: number): Promise<Queue> {
  // A pool of its own: ending it waits for the last completion, which `stop()` does not. It does not wait for the disk:
  // a wake-up that a crash forgets or repeats is harmless (S1).
  const pgPool = createPool(access, { max: 4, settings: ['synchronous_commit=off'] });
  const events = new EventEmitter() as WorkerEvents;
  const pools = new Set<string>();
  events.on('pool:create', ({ workerPool }) => pools.add(workerPool.id));
  let runner: Runner;
  try {
    runner = await runQueue({
      pgPool,
      events,
      // Their stacks say nothing of ours; what matters is told by the listener and the pools.
      logger: new Logger(() => (level, message) => {
        if (level === 'error') access.log(`queue: ${message.split('\n')[0]}`);
      }),
      noHandleSignals: true,
      taskList: {
        [WAKE_TASK]: async (payload) => {
          const { operationId } = payload as { operationId?: unknown };
          if (typeof operationId === 'string') handler.wake(operationId);
        },
      },
      // With any delay the last completion of a clean stop is lost, and its job stays locked for hours.
      preset: {
        worker: { concurrentJobs: 2, pollInterval: 2000, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
      },
    });
  } catch (error) {
    await pgPool.end();
    throw error;
  }
  const tend = () => {
    void run(pgPool, TEND_QUEUE, [[...pools], (beatMs * 4) / 1000]).catch((error: Error) => {
      if (!isLostConnection(error)) access.log(`the queue was not tended: ${error.message}`);
    });
  };
  tend();
  const beat = setInterval(tend, beatMs);
  return {
    over: runner.promise.catch((error: Error) => access.log(`the queue ended: ${error.message}`)),
    async stop() {
      clearInterval(beat);
      // It refuses to be stopped twice, and says so by rejecting.
      await runner.stop().catch(() => undefined);
      await pgPool.end();
    },
  };
}

async function keepQueue(
  first: Queue,
  start: () => Promise<Queue>,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<void> {
  const asked = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  let queue: Queue | null = first;
  while (!signal.aborted) {
    if (queue) {
      await Promise.race([queue.over, asked]);
      await queue.stop();
      if (signal.aborted) return;
    }
    await sleep(RESTART_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    queue = await start().catch((error: Error) => {
      log(`the queue does not start, trying again: ${error.message}`);
      return null;
    });
  }
}

/** What commands said while nobody listened is lost: every driver looks again, which costs one read each. */
async function tellAll(pool: pg.Pool, handler: Handler, log: (line: string) => void): Promise<void> {
  try {
    const { rows } = await overLostConnections(() =>
      pool.query<{ id: string }>('select id from operations where ended_at is null and driver is not null'),
    );
    for (const { id } of rows) handler.changed(id);
  } catch (error) {
    log(`drivers were not told to look again: ${(error as Error).message}`);
  }
}
