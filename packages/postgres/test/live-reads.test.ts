import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { fileDatabase } from './file-database.js';
import { createSample, leaseSample, samplePlan } from './sample-operation.js';

const { db, sql } = await fileDatabase();

async function leased(subject: string) {
  const operation = await createSample(db, samplePlan(subject, ['a', 'b'], ['a>b']));
  const lease = await leaseSample(db, operation, 'w1', 60_000);
  assert.equal(
    await db.store.commit(
      lease,
      operation.change([{ type: 'operation_started' }], { stages: [operation.stage()] }),
    ),
    'committed',
  );
  return { operation, lease };
}

test('everything, or what is newer than a sequence, all of one moment', async () => {
  const { operation, lease } = await leased('postgres/w1');
  const all = await db.live.rows(operation.id, -1, 50, 0);
  assert.ok(all);
  assert.deepEqual(
    [all.sequence, all.status, all.planRevision, all.scenario],
    [2, 'running', 1, 'postgres.install'],
  );
  assert.deepEqual(all.plan, operation.plan);
  assert.deepEqual(
    all.nodes.map(({ key, status, attempt }) => [key, status, attempt]),
    [
      ['a', 'ready', 0],
      ['b', 'pending', 0],
    ],
  );
  assert.equal(all.startedAt, all.events[1]?.at);
  assert.match(all.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const attempt = db.ids.next('att');
  await db.store.commit(lease, operation.change([operation.startEvent('a', attempt)]));
  await db.store.commit(
    lease,
    operation.change([{ type: 'attempt_started', nodeKey: 'a', attemptId: attempt, incarnation: 'i' }]),
  );
  const rest = await db.live.rows(operation.id, 2, 50, 1);
  assert.deepEqual(
    rest?.events.map(({ event }) => [event.sequence, event.type]),
    [
      [3, 'attempt_starting'],
      [4, 'attempt_started'],
    ],
  );
  assert.deepEqual([rest?.plan, rest?.nodes.length, rest?.stages.length], [null, 1, 0]);
  assert.deepEqual(
    rest?.attempts.map(({ id, status, sequence, endedAt }) => [id, status, sequence, endedAt]),
    [[attempt, 'running', 4, null]],
  );
  const newest = await db.live.rows(operation.id, 2, 1, 1);
  assert.deepEqual(
    newest?.events.map(({ event }) => event.sequence),
    [4],
    'of many the newest',
  );
  assert.deepEqual((await db.live.rows(operation.id, 4, 50, 1))?.events, []);
  assert.equal(await db.live.rows('op_none', -1, 50, 0), null);
});

test('when a node got its reason', async () => {
  const { operation, lease } = await leased('postgres/w2');
  const reason = { code: 'capacity', args: {} } as const;
  await db.store.commit(lease, operation.change([{ type: 'node_waiting', nodeKey: 'a', reason }]));
  const waits = await db.live.rows(operation.id, 2, 50, 1);
  assert.deepEqual([waits?.nodes[0]?.reason, waits?.nodes[0]?.since], [reason, waits?.events[0]?.at]);
});

test('NUL and half a character in what a host said come through', async () => {
  const { operation, lease } = await leased('postgres/w3');
  const reason = { code: 'capacity', args: { said: 'a\u0000b\ud800' } } as const;
  await db.store.commit(lease, operation.change([{ type: 'node_waiting', nodeKey: 'a', reason }]));
  const rows = await db.live.rows(operation.id, 2, 50, 1);
  assert.equal(String(rows?.nodes[0]?.reason?.args.said).startsWith('a\u0000b'), true);
});

test('[L9] an uncommitted event holds back all later ones of its operation, so none is read past', async () => {
  const { operation } = await leased('postgres/w4');
  const early = await sql.connect();
  const late = await sql.connect();
  const insert = (client: pg.PoolClient, sequence: number) =>
    client.query(
      `with op as (update operations set last_seq = $2::bigint where id = $1 and last_seq = $2::bigint - 1 returning id)
       insert into events (operation_id, sequence, v, type, actor) select id, $2, 1, 'operation_verified', 'service:engine' from op`,
      [operation.id, sequence],
    );
  await early.query('begin');
  await insert(early, 3);
  let written = false;
  const second = (async () => {
    await late.query('select from operations where id = $1 for update', [operation.id]);
    const result = await insert(late, 4);
    written = true;
    return result.rowCount;
  })();
  // The one that takes the next sequence waits for the row; its own number has no meaning before.
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(written, false);
  assert.equal((await db.live.rows(operation.id, 2, 50, 1))?.sequence, 2);
  await early.query('commit');
  assert.equal(await second, 1);
  const after = await db.live.rows(operation.id, 2, 50, 1);
  assert.deepEqual(
    after?.events.map(({ event }) => event.sequence),
    [3, 4],
  );
  early.release();
  late.release();
});

test('each read is one statement, whatever the length of the history', async (t) => {
  const { operation, lease } = await leased('postgres/w5');
  for (let i = 0; i < 3; i += 1)
    await db.store.commit(
      lease,
      operation.change(
        Array.from({ length: 400 }, () => ({ type: 'node_waiting', nodeKey: 'a', reason: null }) as const),
      ),
    );
  const said: string[] = [];
  const original = pg.Client.prototype.query;
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const [config] = args as [{ name?: string; text?: string } | string];
    said.push(typeof config === 'string' ? config : (config.name ?? config.text ?? ''));
    return (original as (...all: unknown[]) => unknown).apply(this, args);
  });
  await db.live.operationId(operation.id);
  await db.live.rows(operation.id, -1, 50, 0);
  await db.live.rows(operation.id, 700, 500, 1);
  await db.live.events(operation.id, 5, 500);
  await db.live.history('postgres.install');
  await db.live.attemptLog('att_none');
  await db.live.epoch();
  assert.deepEqual(said, [
    'read_operation_id',
    'read_live_rows',
    'read_live_rows',
    'list_events',
    'list_history',
    'read_live_log',
    'read_epoch',
  ]);
});

test('the output of an attempt, and whose it is', async () => {
  const { operation, lease } = await leased('postgres/w6');
  const attempt = db.ids.next('att');
  await db.store.commit(lease, operation.change([operation.startEvent('a', attempt)]));
  const none = await db.live.attemptLog(attempt);
  assert.deepEqual([none?.operationId, none?.logSize, none?.logComplete], [operation.id, 0, false]);
  await db.logs.append(attempt, 0, new TextEncoder().encode('secret'));
  const before = await db.live.attemptLog(attempt);
  await db.logs.mask(attempt, (bytes) => bytes.map(() => 42));
  await db.logs.complete(attempt);
  const after = await db.live.attemptLog(attempt);
  assert.deepEqual(
    [after?.logSize, after?.logComplete, after?.logCut, after?.logPruned],
    [6, true, null, null],
  );
  assert.notEqual(after?.logEtag, before?.logEtag);
});
