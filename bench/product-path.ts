import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  EngineOptions,
  HostConnection,
  HostPort,
  OperationChange,
  OperationStore,
} from '@capstan/engine';
import { DEFAULT_OPTIONS, systemClock, Worker } from '@capstan/engine';
import { newOperation, ScriptedHosts, testExpressions, testHost } from '@capstan/engine/testing';
import type { Pack, Plan } from '@capstan/model';
import { ENGINE } from '@capstan/model';
import type { DatabaseConnection } from '@capstan/postgres';
import { openDatabase, startEmbedded } from '@capstan/postgres';
import pg from 'pg';
import { walFlushes } from './measure.js';

export interface Measured {
  /** From the commit that created the operation to the commit of its success: the floors insert their rows untimed too. */
  readonly ms: number;
  /** What creating it took before that. */
  readonly createMs: number;
  /** WAL flushes of the whole server, less those of an idle while as long; null where not counted: it takes half a minute. */
  readonly flushes: number | null;
  readonly commits: number;
}

export interface ProductPath {
  readonly connection: DatabaseConnection;
  run(plan: Plan, countFlushes?: boolean): Promise<Measured>;
  stop(): Promise<void>;
}

/** What the operations run on. */
export interface Fleet {
  readonly hosts: HostPort;
  readonly records: readonly HostConnection[];
  /** Files of the only pack, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

function scriptedFleet(): Fleet {
  return {
    hosts: new ScriptedHosts(
      () => () => 0,
      () => () => ({ code: 0 }),
    ),
    records: [testHost('h1')],
    files: new Map([['files/run.sh', new TextEncoder().encode('#!/bin/sh\n')]]),
  };
}

/**
 * The whole product path on an in-process target: a real PostgreSQL with fsync, Graphile wake-ups, lease, driver, evidence
 * and facts. The target is in process, unless a fleet of real hosts is given. One worker, the default options.
 */
export async function openProductPath(
  options: Partial<EngineOptions> = {},
  fleet: Fleet = scriptedFleet(),
): Promise<ProductPath> {
  const dataDir = await mkdtemp(join(tmpdir(), 'capstan-bench-'));
  const server = await startEmbedded({ dataDir, fsync: true });
  const database = await openDatabase({ connection: server.connection, dataDir, owner: 'bench' });
  await database.migrate();
  const reader = new pg.Client(server.connection);
  await reader.connect();
  for (const host of fleet.records) await database.inventory.addHost(host, 'lab');
  await database.packs.save(emptyPack(), fleet.files);
  let committed: (change: OperationChange) => void = () => undefined;
  const store = observed(database.store, (change) => committed(change));
  const worker = new Worker(
    {
      ...database,
      store,
      hosts: fleet.hosts,
      expressions: testExpressions,
      clock: systemClock,
      report: (what, error) => console.error(what, error),
    },
    { ...DEFAULT_OPTIONS, ...options },
    'bench',
  );
  await worker.start();
  return {
    connection: server.connection,
    async run(plan, countFlushes = false) {
      let commits = 0;
      const idle = countFlushes ? await walFlushes(reader) : 0;
      const before = countFlushes ? await walFlushes(reader) : null;
      const began = performance.now();
      const done = new Promise<number>((resolve) => {
        committed = (change) => {
          commits += 1;
          if (change.status === 'succeeded') resolve(performance.now());
        };
      });
      const created = await store.create(
        newOperation(plan, database.ids, { actor: ENGINE, idempotency: null }),
      );
      if (created.kind !== 'created') throw new Error(`not created: ${created.kind}`);
      const started = performance.now();
      const ms = (await done) - started;
      const flushes = before === null ? null : (await walFlushes(reader)) - before - (before - idle);
      return { ms, createMs: started - began, flushes, commits };
    },
    async stop() {
      await worker.stop();
      await reader.end();
      await database.close();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function observed(inner: OperationStore, seen: (change: OperationChange) => void): OperationStore {
  return new Proxy(inner, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      if (name !== 'commit') return value.bind(target) as unknown;
      return async (...args: Parameters<OperationStore['commit']>) => {
        const result = await target.commit(...args);
        if (result === 'committed') seen(args[1]);
        return result;
      };
    },
  });
}

function emptyPack(): Pack {
  return {
    name: 'test',
    version: '1.0.0',
    title: 'Test',
    publisher: 'bench',
    needs: {},
    resourceTypes: [],
    capabilities: [],
    artifacts: [],
    scenarios: [],
    jobs: [],
    checks: [],
    files: {},
    permissions: {},
    digest: 'pack-digest',
  };
}
