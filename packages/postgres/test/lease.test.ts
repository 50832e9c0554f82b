import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileDatabase } from './file-database.js';
import { createSample, leaseSample, SampleOperation, samplePlan } from './sample-operation.js';

let count = 0;
const { db, sql } = await fileDatabase();

const created = (keys = ['a', 'b'], edges = ['a>b']) =>
  createSample(db, samplePlan(`postgres/t${++count}`, keys, edges));
const leased = (operation: SampleOperation, owner?: string, leaseMs?: number) =>
  leaseSample(db, operation, owner, leaseMs);

test('[S1] a lease is taken when free, expired or own; the counter grows with each take', async () => {
  const operation = await created();
  const first = await leased(operation, 'w1', 60);
  assert.equal(await db.store.lease(operation.id, 'w2', 1000), null);
  const again = await leased(operation, 'w1', 60);
  assert.equal(again.counter, first.counter + 1);
  await new Promise((resolve) => setTimeout(resolve, 80));
  const taken = await leased(operation, 'w2');
  assert.equal(taken.counter, again.counter + 1);
  await db.store.release(again);
  assert.equal(await db.store.lease(operation.id, 'w3', 1000), null, 'releasing an old lease frees nothing');
  await db.store.release(taken);
  assert.ok(await db.store.lease(operation.id, 'w3', 1000));
});

test('[S13] a fence says system, timeline and counter', async () => {
  const lease = await leased(await created());
  const { rows } = await sql.query('select system_identifier::text as id from pg_control_system()');
  assert.equal(lease.fence, `${rows[0].id}.1.${lease.counter}`);
});

test('[S1] eight workers that ask at once: one has the lease', async () => {
  const operation = await created();
  const leases = await Promise.all(
    Array.from({ length: 8 }, (_, i) => db.store.lease(operation.id, `w${i}`, 1000)),
  );
  assert.equal(leases.filter(Boolean).length, 1);
});

test('renew keeps every lease of the owner and says which are still its own', async () => {
  const [mine, lost] = [await created(), await created()];
  await leased(mine, 'r1', 150);
  await leased(lost, 'r1', 1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await leased(lost, 'r2', 1000);
  assert.deepEqual([...(await db.store.renew('r1', 150))], [mine.id]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual([...(await db.store.renew('r1', 150))], [mine.id]);
  assert.equal(await db.store.lease(mine.id, 'r2', 1000), null);
  const { rows } = await sql.query(
    `select owner, event_version, lease_until > now() as alive from workers where owner = 'r1'`,
  );
  assert.deepEqual(rows, [{ owner: 'r1', event_version: 1, alive: true }]);
});

test('due: never driven, expired, or to be woken; not the living, the ended, or who waits for a person', async () => {
  const [fresh, driven, expired, waits, asks, over] = [
    await created(),
    await created(),
    await created(),
    await created(),
    await created(),
    await created(['a'], []),
  ];
  await leased(driven);
  await leased(expired, 'dead', 1);
  for (const [operation, wakeInMs] of [
    [waits, 60_000],
    [asks, 1],
  ] as const) {
    const lease = await leased(operation);
    const reasons = [{ nodeKey: null, reason: { code: 'unreachable' as const, args: {} } }];
    await db.store.commit(
      lease,
      operation.change([{ type: 'operation_started' }, { type: 'operation_needs_attention', reasons }], {
        wakeInMs,
      }),
    );
    await db.store.release(lease);
  }
  const lease = await leased(over);
  await db.store.commit(
    lease,
    over.change([{ type: 'operation_cancelling' }, { type: 'operation_cancelled' }]),
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  const due = new Set(await db.store.due(1000));
  assert.deepEqual(
    [fresh, driven, expired, waits, asks, over].map((o) => due.has(o.id)),
    [true, false, true, false, true, false],
  );
  assert.equal((await db.store.due(1)).length, 1);
});
