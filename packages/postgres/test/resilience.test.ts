import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from '@capstan/postgres/testing';
import { startTestDatabase } from '@capstan/postgres/testing';
import pg from 'pg';
import { SampleOperation, samplePlan } from './sample-operation.js';

let server: TestDatabase;

before(async () => {
  server = await startTestDatabase();
});
after(() => server.stop());

/** Ends every backend of the database but the asking one. */
async function terminateAll(connection: pg.ClientConfig): Promise<number> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(
    `select count(pg_terminate_backend(pid))::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await client.end();
  return rows[0].n;
}

test('[C05] every connection is ended: the process lives and the next call of every kind works', async () => {
  const { connection, database: db } = await server.create();
  const told: string[] = [];
  await db.wakeUps.listen({
    wake: (id) => told.push(`wake ${id}`),
    changed: (id) => told.push(`changed ${id}`),
  });
  const operation = new SampleOperation(db, samplePlan('postgres/c05', ['a']));
  await db.store.create(operation.asNew());
  const lease = await db.store.lease(operation.id, 'w1', 60_000);
  assert.ok(lease);
  const calls: Record<string, () => Promise<unknown>> = {
    commit: async () =>
      assert.equal(
        await db.store.commit(
          lease,
          operation.change([{ type: 'node_waiting', nodeKey: 'a', reason: null }]),
        ),
        'committed',
      ),
    load: async () => assert.ok(await db.store.load(operation.id)),
    renew: async () => assert.equal((await db.store.renew('w1', 60_000)).size, 1),
    due: () => db.store.due(10),
    events: () => db.readModel.events(operation.id, 0, 10),
    inventory: () => db.inventory.facts(),
    secret: async () => db.secrets.get(await db.secrets.put('default', 'c05', Buffer.from('x'))),
    log: () => db.logs.append('c05', 0, Buffer.from('x')),
    token: () => db.tokens.verify('none'),
    wake: () => db.wakeUps.wake('op_after'),
  };
  for (const [name, call] of Object.entries(calls)) {
    await call();
    assert.ok((await terminateAll(connection)) > 0);
    await assert.doesNotReject(call(), name);
  }
  for (let tries = 0; tries < 100 && !told.includes(`changed ${operation.id}`); tries += 1) await sleep(50);
  assert.ok(
    told.includes(`changed ${operation.id}`),
    'after listening anew every driver is told to look again',
  );
  told.length = 0;
  await db.wakeUps.wake('op_later');
  for (let tries = 0; tries < 100 && !told.includes('wake op_later'); tries += 1) await sleep(50);
  assert.ok(told.includes('wake op_later'));
  await db.wakeUps.stop();
});

test('[C05] connections are ended under load: every commit answers the truth, no sequence is lost or doubled', async () => {
  const { connection, database: db } = await server.create();
  let over = false;
  let answered = 0;
  // The next blow comes when something was answered since the last one: faster than one transaction, nothing could be.
  const storm = (async () => {
    while (!over) {
      const before = answered;
      await terminateAll(connection);
      do await sleep(40);
      while (!over && answered === before);
    }
  })();
  const drive = async (n: number) => {
    const operation = new SampleOperation(db, samplePlan(`postgres/storm${n}`, ['a']));
    await db.store.create(operation.asNew());
    answered++;
    const lease = await db.store.lease(operation.id, `w${n}`, 60_000);
    assert.ok(lease);
    for (let i = 0; i < 40; i += 1) {
      const reason = { code: 'host_busy' as const, args: { i } };
      assert.equal(
        await db.store.commit(lease, operation.change([{ type: 'node_waiting', nodeKey: 'a', reason }])),
        'committed',
      );
      answered++;
    }
    assert.equal((await db.store.load(operation.id))?.sequence, 41);
    assert.equal((await db.readModel.events(operation.id, 0, 500)).length, 41);
  };
  try {
    await Promise.all([1, 2, 3, 4].map(drive));
  } finally {
    over = true;
    await storm;
  }
});

test('a stopped and restarted server: calls wait for it, wake-ups flow again by themselves', async () => {
  const { database: db } = await server.create({ queueBeatMs: 100 });
  const woken = new Set<string>();
  await db.wakeUps.listen({ wake: (id) => woken.add(id), changed: () => undefined });
  const restart = server.server.restart();
  await sleep(50);
  const call = db.store.due(1);
  await restart;
  assert.deepEqual(await call, []);
  await db.wakeUps.wake('op_restart');
  for (let tries = 0; tries < 150 && !woken.has('op_restart'); tries += 1) await sleep(50);
  assert.ok(woken.has('op_restart'));
  assert.equal(await db.readModel.ready(), true);
});
