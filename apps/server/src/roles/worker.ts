import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { createExpressions } from '@capstan/catalog';
import { DEFAULT_OPTIONS, systemClock, Worker } from '@capstan/engine';
import type { RoleConfig } from '../config.js';
import type { Logger } from '../log.js';
import { createMaintenance, openAdapters } from '../wiring.js';
import { pruneDaily } from './prune-daily.js';
import { requireSchema } from './require-schema.js';
import type { RunningRole } from './running-role.js';

/** Drives operations; ready when it listens for wake-ups and has swept once. */
export async function startWorker(config: RoleConfig, log: Logger): Promise<RunningRole> {
  // In containers process ids are alike, and two may start in the same millisecond.
  const owner = `worker ${hostname()} ${process.pid} ${randomBytes(4).toString('hex')}`;
  const adapters = await openAdapters(config, owner, log);
  const { database, hosts } = adapters;
  await requireSchema(database).catch(async (error: unknown) => {
    await adapters.close();
    throw error;
  });
  const worker = new Worker(
    {
      ...database,
      hosts,
      expressions: createExpressions(),
      clock: systemClock,
      report: (what, error) => log.error({ err: error }, what),
    },
    {
      ...DEFAULT_OPTIONS,
      leaseMs: config.leaseMs,
      heartbeatMs: config.heartbeatMs,
      sweepMs: config.sweepMs,
      unreachableAfterMs: config.unreachableAfterMs,
    },
    owner,
  );
  await worker.start();
  log.info({ owner }, 'driving operations');
  const pruning = pruneDaily(createMaintenance(adapters, config.retention), log);
  return {
    async stop() {
      await Promise.all([worker.stop(), pruning.stop()]);
      await adapters.close();
    },
  };
}
