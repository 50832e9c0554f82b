import { loadavg } from 'node:os';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pack } from '@capstan/model';
import { ENGINE } from '@capstan/model';
import type { OperationChange, OperationStore } from '@capstan/engine';
import { DEFAULT_OPTIONS, systemClock, Worker } from '@capstan/engine';
import { newOperation, ScriptedHosts, testExpressions, testHost, testPlan } from '@capstan/engine/testing';
import { openDatabase, startEmbedded } from '@capstan/postgres';
import pg from 'pg';
import { chainFloor } from './chain-floor.js';
import { median, walFlushes } from './measure.js';

/**
 * A chain of no-op jobs through the whole product path (create, wake-up, lease, driver, one commit per transition, facts,
 * evidence) on an in-process target, beside the floor: one statement and one commit per transition, no events. Sides are
 * interleaved; the ratio is the median of the ratios of each repetition.
 */
const JOBS = 40;
const runs = Number(process.env['BENCH_RUNS'] ?? 9);
const json = process.argv.includes('--json');

const dataDir = await mkdtemp(join(tmpdir(), 'capstan-bench-'));
const server = await startEmbedded({ dataDir, fsync: true });
const database = await openDatabase({ connection: server.connection, dataDir, owner: 'bench' });
await database.migrate();
const reader = new pg.Client(server.connection);
await reader.connect();
await database.inventory.addHost(testHost('h1'), 'lab');
await database.packs.save(emptyPack(), new Map([['files/run.sh', new TextEncoder().encode('#!/bin/sh\n')]]));

let over: (change: OperationChange) => void = () => undefined;
const store = observed(database.store, (change) => over(change));
const hosts = new ScriptedHosts(() => () => 0, () => () => ({ code: 0 }));
const worker = new Worker(
  { ...database, store, hosts, expressions: testExpressions, clock: systemClock, report: (what, error) => console.error(what, error) },
  DEFAULT_OPTIONS,
  'bench',
);
await worker.start();

const ours: number[] = [];
const floor: number[] = [];
const flushes: number[] = [];
const commits: number[] = [];
const runFloor = await chainFloor(server.connection, JOBS);
try {
  for (let i = 0; i < runs + 2; i++) {
    const floorMs = await runFloor();
    const one = await runOurs(i);
    // The first two repetitions fill caches and prepare statements on both sides.
    if (i < 2) continue;
    floor.push(floorMs);
    ours.push(one.ms);
    flushes.push(one.flushes);
    commits.push(one.commits);
  }
} finally {
  await worker.stop();
  await reader.end();
  await database.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
const result = {
  name: 'chain', ours: round(median(ours)), floor: round(median(floor)), ratio: round(median(ours.map((ms, i) => ms / (floor[i] ?? ms)))), unit: 'ms',
  runs, jobs: JOBS, flushes: median(flushes), commits: median(commits), ratios: ours.map((ms, i) => round(ms / (floor[i] ?? ms))), load: loadavg().map(round),
};
if (json) console.log(JSON.stringify(result));
else console.log(`chain of ${JOBS}: ${result.ours} ms, floor ${result.floor} ms, ratio ${result.ratio}, ${result.flushes} WAL flushes, ${result.commits} driver commits (${runs} runs)`);

async function runOurs(i: number): Promise<{ ms: number; flushes: number; commits: number }> {
  const plan = testPlan(
    Array.from({ length: JOBS }, (_, n) => ({ key: `n${n}`, after: n === 0 ? [] : [`n${n - 1}`], checks: { [`c${n}`]: {} } })),
    { subject: { key: `thing/chain-${i}`, type: 'thing', name: `chain-${i}` } },
  );
  let count = 0;
  const before = await walFlushes(reader);
  const started = performance.now();
  const done = new Promise<number>((resolve) => {
    over = (change) => {
      count += 1;
      if (change.status === 'succeeded') resolve(performance.now() - started);
    };
  });
  const created = await store.create(newOperation(plan, database.ids, { actor: ENGINE, idempotency: null }));
  if (created.kind !== 'created') throw new Error(`not created: ${created.kind}`);
  const ms = await done;
  return { ms, flushes: (await walFlushes(reader)) - before, commits: count };
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
    name: 'test', version: '1.0.0', title: 'Test', publisher: 'bench', needs: {}, resourceTypes: [], capabilities: [], artifacts: [], scenarios: [], jobs: [], checks: [],
    files: {}, permissions: {}, digest: 'pack-digest',
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
