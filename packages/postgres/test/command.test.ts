import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandResult, StoredOperation } from '@capstan/engine';
import { text } from '@capstan/model';
import pg from 'pg';
import { fileDatabase } from './file-database.js';
import { createSample, SampleOperation, samplePlan } from './sample-operation.js';

let count = 0;
const { server, db, sql } = await fileDatabase();

const created = () => createSample(db, samplePlan(`postgres/c${++count}`, ['a']));

const cancel = (operation: SampleOperation) => () => ({
  kind: 'change' as const,
  change: operation.change([{ type: 'operation_cancelling' }]),
});

async function jobs(operation: SampleOperation): Promise<number> {
  const { rows } = await sql.query('select count(*)::int as n from graphile_worker.jobs where key = $1', [
    `wake:${operation.id}`,
  ]);
  return rows[0].n;
}

test('[S12] a command locks, loads, decides once and writes; it wakes somebody when nobody drives', async () => {
  const operation = await created();
  await sql.query('select graphile_worker.remove_job($1)', [`wake:${operation.id}`]);
  let seen: StoredOperation | null = null;
  let times = 0;
  const result = await db.store.command(operation.id, null, (stored) => {
    seen = stored;
    times += 1;
    return cancel(operation)();
  });
  assert.deepEqual(result, { kind: 'done', sequence: 2, repeated: false });
  assert.equal(times, 1);
  assert.equal((seen as StoredOperation | null)?.sequence, 1);
  const stored = await db.store.load(operation.id);
  assert.equal(stored?.status, 'cancelling');
  assert.equal((await db.readModel.events(operation.id, 1, 10))[0]?.event.type, 'operation_cancelling');
  assert.equal(await jobs(operation), 1);
});

test('[S12] a command tells the living driver instead, whose next commit is stale', async () => {
  const operation = await created();
  await sql.query('select graphile_worker.remove_job($1)', [`wake:${operation.id}`]);
  const lease = await db.store.lease(operation.id, 'w1', 20_000);
  assert.ok(lease);
  const heard = new pg.Client({ ...server.connection });
  await heard.connect();
  await heard.query('listen capstan_operation');
  const told = new Promise<string | undefined>((resolve) =>
    heard.once('notification', (message) => resolve(message.payload)),
  );
  const driver = new SampleOperation(db, operation.plan);
  const started = { ...driver.change([{ type: 'operation_started' }]), operationId: operation.id };
  const result = await db.store.command(operation.id, null, cancel(operation));
  assert.equal(result.kind, 'done');
  assert.equal(await told, operation.id);
  assert.equal(await jobs(operation), 0);
  assert.equal(await db.store.commit(lease, started), 'stale');
  await heard.end();
});

test('a refused command writes nothing and does not use up its key', async () => {
  const operation = await created();
  const key = { subject: 'ada', mutation: 'controlOperation', key: 'r1', inputHash: 'h' };
  const problems = [{ code: 'illegal_state' as const, text: text('illegal_state') }];
  assert.deepEqual(await db.store.command(operation.id, key, () => ({ kind: 'refused', problems })), {
    kind: 'refused',
    problems,
  });
  assert.equal((await db.store.load(operation.id))?.sequence, 1);
  assert.equal((await db.store.command(operation.id, key, cancel(operation))).kind, 'done');
});

test('a command of an unknown operation is not found; one that throws leaves nothing', async () => {
  assert.deepEqual(await db.store.command('op-424242', null, () => assert.fail('decided about nothing')), {
    kind: 'not_found',
  });
  const operation = await created();
  await assert.rejects(
    db.store.command(operation.id, null, () => {
      throw new Error('a bug');
    }),
    /a bug/,
  );
  assert.equal((await db.store.command(operation.id, null, cancel(operation))).kind, 'done');
});

test('[C11] 20 equal commands with one key: one effect, 19 repeats; another input conflicts', async () => {
  const operation = await created();
  const { number } = (await db.store.load(operation.id)) ?? { number: '' };
  const key = { subject: 'ada', mutation: 'controlOperation', key: 'c1', inputHash: 'h' };
  const change = operation.change([{ type: 'operation_cancelling' }]);
  const ask = (): Promise<CommandResult> => db.store.command(number, key, () => ({ kind: 'change', change }));
  const results = await Promise.all(Array.from({ length: 20 }, ask));
  assert.equal(results.filter((r) => r.kind === 'done' && !r.repeated).length, 1);
  assert.equal(results.filter((r) => r.kind === 'done' && r.repeated && r.sequence === 2).length, 19);
  assert.deepEqual(await db.store.command(number, { ...key, inputHash: 'x' }, cancel(operation)), {
    kind: 'idempotency_conflict',
  });
  assert.equal((await db.readModel.events(operation.id, 0, 10)).length, 2);
});

test('[S12] a driver that commits while a command holds the row waits, and is stale', async () => {
  const operation = await created();
  const lease = await db.store.lease(operation.id, 'w1', 20_000);
  assert.ok(lease);
  const driver = new SampleOperation(db, operation.plan);
  const started = { ...driver.change([{ type: 'operation_started' }]), operationId: operation.id };
  let commit: Promise<string> = Promise.resolve('');
  await db.store.command(operation.id, null, () => {
    // Begins while this transaction holds the lock; its snapshot is older than what the command writes.
    commit = db.store.commit(lease, started);
    return cancel(operation)();
  });
  assert.equal(await commit, 'stale');
  assert.deepEqual(
    (await db.readModel.events(operation.id, 1, 10)).map((e) => e.event.type),
    ['operation_cancelling'],
  );
});
