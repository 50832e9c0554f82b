import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { OperationEventBody } from '@capstan/model';
import type { Database } from '@capstan/postgres';
import type { TestDatabase } from '@capstan/postgres/testing';
import { startTestDatabase } from '@capstan/postgres/testing';
import { SampleOperation, sampleEvidence, samplePlan } from './sample-operation.js';
import { sqlPool } from './sql-pool.js';

const DAY = 86_400_000;
const AGES = {
  logsMs: 90 * DAY,
  failedLogsMs: 365 * DAY,
  logBytes: 20_000_000_000,
  eventsMs: 730 * DAY,
  succeededFoldersMs: 7 * DAY,
  otherFoldersMs: 30 * DAY,
  idempotencyMs: DAY,
};
const NEVER = new AbortController().signal;

let server: TestDatabase;

before(async () => {
  server = await startTestDatabase();
});
after(() => server.stop());

async function freshWithSql() {
  const { database, connection } = await server.create();
  const sql = sqlPool(connection);
  return { db: database, sql };
}

type Sql = ReturnType<typeof sqlPool>;

/** An operation of one node whose attempt ended so many days ago; null = the operation is not over. */
async function ended(
  db: Database,
  sql: Sql,
  name: string,
  how: { readonly status: string; readonly days: number; readonly over?: boolean; readonly log?: string },
) {
  const operation = new SampleOperation(db, samplePlan(`postgres/${name}`, ['a']));
  await db.store.create(operation.asNew());
  const lease = await db.store.lease(operation.id, 'w1', 20_000);
  assert.ok(lease);
  const attempt = db.ids.next('att');
  const bodies: OperationEventBody[] = [{ type: 'operation_started' }, operation.startEvent('a', attempt)];
  const evidence = [sampleEvidence(db, { nodeKey: 'a', attemptId: attempt })];
  assert.equal(await db.store.commit(lease, operation.change(bodies, { evidence })), 'committed');
  if (how.log !== undefined) await db.logs.append(attempt, 0, Buffer.from(how.log));
  await sql.query(
    `update attempts set status = $2, ended_at = now() - make_interval(days => $3) where id = $1`,
    [attempt, how.status, how.days],
  );
  if (how.over !== false)
    await sql.query(
      `update operations set status = 'succeeded', driver = null, ended_at = now() - make_interval(days => $2) where id = $1`,
      [operation.id, how.days],
    );
  return { id: operation.id, attempt, evidence: evidence[0]?.id ?? '', last: operation.state.sequence };
}

const pruned = async (db: Database, ages = AGES) => db.retention.prune(ages, 'human:ada', NEVER);

test('a dry run says what a run removes, in counts and bytes, and changes nothing; a second run finds nothing', async () => {
  const { db, sql } = await freshWithSql();
  await ended(db, sql, 'old', { status: 'succeeded', days: 800, log: 'x'.repeat(1000) });
  await ended(db, sql, 'failed', { status: 'failed', days: 400, log: 'y'.repeat(50) });
  await ended(db, sql, 'new', { status: 'succeeded', days: 1, log: 'z' });
  await sql.query(
    `insert into idempotency (subject, mutation, key, input_hash, at)
     select 'human:ada', 'm', 'k' || n, 'h', now() - interval '2 days' from generate_series(1, 2500) n`,
  );
  const due = await db.retention.due(AGES);
  assert.deepEqual(await db.retention.due(AGES), due, 'asking changes nothing');
  const counts = Object.fromEntries(due.map(({ kind, objects }) => [kind, objects]));
  assert.deepEqual(counts, { logs: 1, failed_logs: 1, events: 3, evidence: 1, idempotency_keys: 2500 });
  assert.equal(due.find((one) => one.kind === 'logs')?.bytes, 1000);
  assert.deepEqual(await pruned(db), due);
  assert.deepEqual(await db.retention.due(AGES), []);
  assert.deepEqual(await pruned(db), []);
  const { rows } = await sql.query('select count(*)::int as n, sum(bytes)::int as bytes from tombstones');
  assert.deepEqual(rows, [{ n: 5, bytes: due.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) }]);
  await sql.end();
});

test('[C17] old output goes and leaves its size, its hash and when it went; what failed stays a year', async () => {
  const { db, sql } = await freshWithSql();
  const old = await ended(db, sql, 'old', { status: 'succeeded', days: 91, log: 'old' });
  const young = await ended(db, sql, 'young', { status: 'succeeded', days: 89, log: 'young' });
  const failed = await ended(db, sql, 'failed', { status: 'failed', days: 364, log: 'failed' });
  const unknown = await ended(db, sql, 'unknown', { status: 'unknown', days: 364, log: 'unknown' });
  const open = await ended(db, sql, 'open', { status: 'succeeded', days: 500, log: 'open', over: false });
  assert.deepEqual(await pruned(db), [{ kind: 'logs', objects: 1, bytes: 3 }]);
  for (const [kept, text] of [
    [young, 'young'],
    [failed, 'failed'],
    [unknown, 'unknown'],
    [open, 'open'],
  ] as const)
    assert.equal(Buffer.from(await db.logs.read(kept.attempt, 0, 100)).toString(), text);
  assert.equal((await db.logs.read(old.attempt, 0, 100)).length, 0);
  const [attempt] = await db.readModel.attempts(old.id);
  assert.equal(attempt?.logSize, 3);
  const once = createHash('sha256').update('old').digest();
  assert.equal(attempt?.logPruned?.sha256, createHash('sha256').update(once).digest('hex'));
  assert.ok(attempt?.logPruned?.at);
  assert.equal((await db.readModel.attempts(young.id))[0]?.logPruned, null);
  assert.equal(await db.logs.append(old.attempt, 0, Buffer.from('old')), 3, 'nobody fills it again');
  await sql.end();
});

test('beyond the size the oldest output goes first, that of failed attempts last, and running ones never', async () => {
  const { db, sql } = await freshWithSql();
  const log = 'x'.repeat(100);
  const one = await ended(db, sql, 'one', { status: 'succeeded', days: 3, log });
  const two = await ended(db, sql, 'two', { status: 'succeeded', days: 2, log });
  const failed = await ended(db, sql, 'failed', { status: 'failed', days: 60, log });
  const running = await ended(db, sql, 'running', { status: 'running', days: 9, log, over: false });
  const sizes = async () =>
    Promise.all(
      [one, two, failed, running].map(async (o) => (await db.logs.read(o.attempt, 0, 1000)).length),
    );
  assert.deepEqual(await pruned(db, { ...AGES, logBytes: 400 }), []);
  assert.deepEqual(await pruned(db, { ...AGES, logBytes: 350 }), [{ kind: 'logs', objects: 1, bytes: 100 }]);
  assert.deepEqual(await sizes(), [0, 100, 100, 100]);
  await pruned(db, { ...AGES, logBytes: 100 });
  assert.deepEqual(await sizes(), [0, 0, 0, 100]);
  assert.deepEqual(await pruned(db, { ...AGES, logBytes: 0 }), []);
  await sql.end();
});

test('[L9] events that were removed are a gap with a range and a hash, never a silent one', async () => {
  const { db, sql } = await freshWithSql();
  const old = await ended(db, sql, 'old', { status: 'succeeded', days: 731 });
  const young = await ended(db, sql, 'young', { status: 'succeeded', days: 729 });
  const { rows: before } = await sql.query(
    `select encode(sha256(string_agg(sha256(convert_to(row_to_json(e)::text, 'UTF8')), '' order by sequence)), 'hex') as hash
     from events e where operation_id = $1`,
    [old.id],
  );
  await pruned(db);
  assert.deepEqual(await db.readModel.events(old.id, 0, 10), []);
  const gap = await db.readModel.eventGap(old.id, 0);
  assert.deepEqual(
    [gap?.first, gap?.last, gap?.actor, gap?.sha256],
    [1, old.last, 'human:ada', before[0].hash],
  );
  assert.ok(gap?.at);
  assert.equal((await db.readModel.eventGap(old.id, old.last - 1))?.last, old.last);
  assert.equal(await db.readModel.eventGap(old.id, old.last), null);
  assert.equal((await db.readModel.events(young.id, 0, 10)).length, young.last);
  assert.equal(await db.readModel.eventGap(young.id, 0), null);
  const stored = await db.store.load(old.id);
  assert.equal(stored?.plan.subject.key, 'postgres/old', 'plan, nodes and attempts stay readable');
  assert.equal(stored?.sequence, old.last);
  await sql.end();
});

test('[L1] evidence on which a fact rests stays for as long as the fact', async () => {
  const { db, sql } = await freshWithSql();
  const kept = await ended(db, sql, 'kept', { status: 'succeeded', days: 900 });
  const gone = await ended(db, sql, 'gone', { status: 'succeeded', days: 900 });
  await sql.query(
    `insert into facts values ('postgres/kept', 'postgres.running', 'holds', '{}', 'real', array[$1], 'c', '1.0.0', now(), null, now())`,
    [kept.evidence],
  );
  await pruned(db);
  assert.equal((await db.readModel.evidence(kept.id)).length, 1);
  assert.equal((await db.readModel.evidence(gone.id)).length, 0);
  await sql.end();
});

test('audit is never pruned, whatever its age', async () => {
  const { db, sql } = await freshWithSql();
  await db.audit.record({ actor: 'human:ada', action: 'host.add', object: 'node/x', detail: {} });
  await sql.query(`update audit set at = now() - interval '20 years'`);
  await pruned(db);
  const { rows } = await sql.query('select count(*)::int as n from audit');
  assert.deepEqual(rows, [{ n: 1 }]);
  await sql.end();
});

test('[S13] run folders are due by their age and their end, never while the end is unknown, and once', async () => {
  const { db, sql } = await freshWithSql();
  const due = [
    await ended(db, sql, 'ok', { status: 'succeeded', days: 8 }),
    await ended(db, sql, 'ok-open', { status: 'succeeded', days: 8, over: false }),
    await ended(db, sql, 'failed', { status: 'failed', days: 31 }),
    await ended(db, sql, 'cancelled', { status: 'cancelled', days: 31 }),
  ];
  await ended(db, sql, 'ok-young', { status: 'succeeded', days: 6 });
  await ended(db, sql, 'failed-young', { status: 'failed', days: 29 });
  await ended(db, sql, 'failed-open', { status: 'failed', days: 400, over: false });
  await ended(db, sql, 'unknown', { status: 'unknown', days: 400 });
  await ended(db, sql, 'unconfirmed', { status: 'cancel_unconfirmed', days: 400 });
  await ended(db, sql, 'running', { status: 'running', days: 400, over: false });
  const ids = async () => (await db.retention.folders(AGES)).map(({ ref }) => ref.attemptId).sort();
  assert.deepEqual(await ids(), due.map(({ attempt }) => attempt).sort());
  const [first] = await db.retention.folders(AGES);
  assert.equal(first?.host, 'node/lab-1');
  assert.equal(first?.ref.runRoot, '/var/lib/capstan');
  for (const { attempt } of due) await db.retention.forgotten(attempt, 'service:worker');
  await db.retention.forgotten(due[0]?.attempt ?? '', 'service:worker');
  assert.deepEqual(await ids(), []);
  const { rows } = await sql.query(`select count(*)::int as n from tombstones where kind = 'run_folders'`);
  assert.deepEqual(rows, [{ n: due.length }]);
  await sql.end();
});

test('one run at a time, one turn per day among all processes', async () => {
  const fresh = await server.create();
  const [one, two] = [fresh.database, await fresh.open()];
  const turns = await Promise.all([one, two, one, two].map((db) => db.retention.claimTurn(DAY)));
  assert.equal(turns.filter(Boolean).length, 1);
  assert.equal(await one.retention.claimTurn(DAY), false);
  assert.equal(await one.retention.claimTurn(0), true);
  const inner = await one.retention.alone(() => two.retention.alone(() => Promise.resolve('both')));
  assert.deepEqual(inner, { value: null });
  assert.deepEqual(await two.retention.alone(() => Promise.resolve('later')), { value: 'later' });
});
