import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@capstan/postgres';
import pg from 'pg';
import { fileDatabase } from './file-database.js';
import { createSample, samplePlan } from './sample-operation.js';

const { server, db, sql } = await fileDatabase();

/** A process that listens; `next` waits for its next wake-up. */
async function listening(database: Database) {
  const heard = new EventEmitter();
  const woken: string[] = [];
  await database.wakeUps.listen({
    wake: (id) => {
      woken.push(id);
      heard.emit('wake', id);
    },
    changed: (id) => heard.emit('changed', id),
  });
  const next = async (what: 'wake' | 'changed') =>
    (await once(heard, what, { signal: AbortSignal.timeout(8000) }))[0] as string;
  return { woken, next };
}

const created = (subject: string) => createSample(db, samplePlan(subject, ['a']));

const jobCount = async (asked: pg.Pool | pg.Client = sql) =>
  (await asked.query(`select count(*)::int as n from graphile_worker.jobs`)).rows[0].n as number;

test('[S1] creating an operation wakes a worker, wake() does, and no job is left behind', async () => {
  const fresh = await server.create();
  const { next } = await listening(fresh.database);
  const wake = next('wake');
  const operation = await createSample(fresh.database, samplePlan('postgres/wake', ['a']));
  assert.equal(await wake, operation.id);
  const other = new pg.Client({ ...fresh.connection });
  await other.connect();
  // A wake-up beside a job that has woken somebody and is not completed yet is swallowed, and left to the sweep.
  for (let tries = 0; tries < 400 && (await jobCount(other)) > 0; tries += 1) await sleep(20);
  const again = next('wake');
  await fresh.database.wakeUps.wake(operation.id);
  assert.equal(await again, operation.id);
  await fresh.database.wakeUps.stop();
  assert.equal(await jobCount(other), 0, 'the last completion was written before stop resolved');
  await other.end();
});

test('[S1] a wake-up that waits already is not doubled', async () => {
  const before = await jobCount();
  await Promise.all(Array.from({ length: 5 }, () => db.wakeUps.wake('op_twice')));
  assert.equal(await jobCount(), before + 1);
  const { rows } = await sql.query(
    `select max_attempts from graphile_worker.jobs where key = 'wake:op_twice'`,
  );
  assert.equal(rows[0].max_attempts, 32767);
});

test('[S1] a job that a dead process holds is let go, else it would swallow every later wake-up', async () => {
  const fresh = await server.create({ queueBeatMs: 50 });
  const other = new pg.Client({ ...fresh.connection });
  await other.connect();
  await fresh.database.wakeUps.wake('op_held');
  await other.query(
    `update graphile_worker._private_jobs set locked_by = 'pool-dead', locked_at = now() - interval '5 seconds' where key = 'wake:op_held'`,
  );
  const { next } = await listening(fresh.database);
  assert.equal(await next('wake'), 'op_held');
  await other.end();
});

test('[S12] a command reaches the driver in another process', async () => {
  const second = await server.open();
  const { next } = await listening(second);
  const operation = await created('postgres/told');
  await db.store.lease(operation.id, 'w2', 20_000);
  const changed = next('changed');
  await db.store.command(operation.id, null, () => ({
    kind: 'change',
    change: operation.change([{ type: 'operation_cancelling' }]),
  }));
  assert.equal(await changed, operation.id);
});

test('announcements of one process come coalesced, with the newest sequence of each operation', async () => {
  const seen: [string, number][] = [];
  const second = await server.open();
  const unwatch = await second.watchFeed((id, sequence) => seen.push([id, sequence]));
  const other = await server.open({ feedIntervalMs: 30 });
  for (let sequence = 1; sequence <= 500; sequence += 1) other.feed.announce('op_a', sequence);
  for (let n = 0; n < 300; n += 1) other.feed.announce(`op_${'x'.repeat(60)}${n}`, 1);
  other.feed.announce('op_a', 3);
  const until = Date.now() + 5000;
  while (seen.length < 301 && Date.now() < until) await sleep(10);
  assert.deepEqual(seen[0], ['op_a', 500]);
  assert.equal(seen.length, 301, 'more than one message, none of them too long for the server');
  await unwatch();
  other.feed.announce('op_b', 1);
  await sleep(100);
  assert.equal(seen.length, 301);
});
