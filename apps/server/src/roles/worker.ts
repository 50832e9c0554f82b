import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { createExpressions } from '@capstan/catalog';
import { DEFAULT_OPTIONS, systemClock, Worker } from '@capstan/engine';
import type { RoleConfig } from '../config.js';
import type { Logger } from '../log.js';
import { openAdapters } from '../wiring.js';
import { type RunningRole, StartRefused } from './running-role.js';

/** Drives operations; ready when it listens for wake-ups and has swept once. */
export async function startWorker(config: RoleConfig, log: Logger): Promise<RunningRole> {
  // In containers process ids are alike, and two may start in the same millisecond.
  const owner = `worker ${hostname()} ${process.pid} ${randomBytes(4).toString('hex')}`;
  const adapters = await openAdapters(config, owner, log);
  const { database, hosts } = adapters;
  if (!(await database.readModel.ready())) {
    await adapters.close();
    throw new StartRefused('the database has another schema than this version: start it once with npm start');
  }
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
  return {
    async stop() {
      await worker.stop();
      await adapters.close();
    },
  };
}
