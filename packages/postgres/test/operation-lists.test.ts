import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressOf } from '@capstan/engine';
import { reason } from '@capstan/model';
import { fileDatabase } from './file-database.js';
import { createSample, SampleOperation, sampleEvidence, samplePlan } from './sample-operation.js';

const { db, sql } = await fileDatabase();

const created = (subject: string, keys = ['a', 'b']) => createSample(db, samplePlan(subject, keys));

async function write(
  operation: SampleOperation,
  ...change: Parameters<SampleOperation['change']>
): Promise<void> {
  const lease = await db.store.lease(operation.id, 'w1', 20_000);
  assert.ok(lease);
  assert.equal(await db.store.commit(lease, operation.change(...change)), 'committed');
}

async function run(operation: SampleOperation) {
  const [row] = await db.readModel.operationsByRef([operation.id]);
  assert.ok(row);
  const view = (await db.readModel.runs([row], 'all')).get(operation.id);
  assert.ok(view);
  return { row, view };
}

test('an operation is found by id and by number, among others that are not there, and filtered by status', async () => {
  const [first, second] = [await created('postgres/f1'), await created('postgres/f2')];
  const numbers = (await db.readModel.operations({ first: 2 })).map((one) => one.number);
  const found = await db.readModel.operationsByRef([first.id, numbers[0] ?? '', 'op-999', 'op_none']);
  assert.deepEqual(found.map((one) => one.id).sort(), [first.id, second.id].sort());
  await write(second, [{ type: 'operation_started' }]);
  const running = await db.readModel.operations({ first: 10, statuses: ['running', 'paused'] });
  assert.deepEqual(
    running.map((one) => [one.id, one.createdBy.id, one.parentId]),
    [[second.id, 'ada', null]],
  );
});

test('operations of many resources come newest first, a page of each', async () => {
  const [old] = [await created('of/1'), await created('of/2')];
  await sql.query(`update operations set status = 'cancelled', ended_at = now() where id = $1`, [old.id]);
  const young = await created('of/1');
  const of = (before: string | null, limit: number) =>
    db.readModel.operationsOf(['of/1', 'of/2', 'of/none'], { before, limit });
  const ids = (await of(null, 1)).get('of/1')?.map((one) => one.id);
  assert.deepEqual(ids, [young.id]);
  const older = await of(young.id, 5);
  assert.deepEqual(
    older.get('of/1')?.map((one) => one.id),
    [old.id],
  );
  assert.equal(older.get('of/2')?.length, 1);
  assert.equal(older.get('of/none'), undefined);
});

test('[L11] a node has had its reason since the event that gave it, and an overdue one since the event before', async () => {
  const operation = await created('postgres/since');
  const waits = (args: Record<string, string>) =>
    write(operation, [{ type: 'node_waiting', nodeKey: 'a', reason: reason('unreachable', args) }]);
  await waits({});
  await sql.query(`update events set at = '2026-01-01T00:00:00Z' where operation_id = $1`, [operation.id]);
  const since = async () => (await run(operation)).view.nodes.map((node) => node.since);
  assert.deepEqual(await since(), ['2026-01-01T00:00:00.000Z', null]);
  await waits({ overdue: 'yes' });
  assert.deepEqual(await since(), ['2026-01-01T00:00:00.000Z', null]);
});

test('a node shows the times of its newest attempt, an operation when it started', async () => {
  const operation = await created('postgres/times');
  assert.equal((await run(operation)).row.startedAt, null);
  const attempt = db.ids.next('att');
  await write(operation, [{ type: 'operation_started' }, operation.startEvent('a', attempt)]);
  const { row, view } = await run(operation);
  assert.match(row.startedAt ?? '', /^\d{4}-/);
  assert.deepEqual([view.nodes[0]?.attemptId, view.nodes[0]?.attemptStatus], [attempt, 'starting']);
  assert.deepEqual(
    [view.nodes[0]?.startedAt !== null, view.nodes[0]?.endedAt, view.nodes[1]?.startedAt],
    [true, null, null],
  );
  await sql.query('delete from events where operation_id = $1', [operation.id]);
  assert.match((await run(operation)).row.startedAt ?? '', /^\d{4}-/, 'after its events were pruned');
});

test('[UX-S3] history is what the newest successes of the scenario took, by step, without steps that did nothing', async () => {
  const took = async (name: string, seconds: number, status = 'succeeded') => {
    const operation = await created(`history/${name}`, ['a[h1]', 'a~2[h2]', 'b']);
    await sql.query(
      `update operations set status = $2, created_at = now() - $3 * interval '1 second', ended_at = now() where id = $1`,
      [operation.id, status, seconds],
    );
    for (const [key, part, kind] of [
      ['a[h1]', 0.5, 'exited'],
      ['a~2[h2]', 0.5, 'exited'],
      ['b', 0, 'not_run'],
    ])
      await sql.query(
        `insert into attempts (id, operation_id, node_key, number, host, run_root, fence, bundle_hash, status, run_end,
           ended_sequence, sequence, started_at, ended_at)
         values ($1, $2, $3, 1, 'h', '/r', '1.1.1', 'h', 'succeeded', json_build_object('kind', $4::text), 1, 1,
           now() - $5 * interval '1 second', now())`,
        [db.ids.next('att'), operation.id, key, kind, seconds * Number(part)],
      );
  };
  for (const [index, seconds] of [10, 20, 30].entries()) await took(`h${index}`, seconds);
  await took('failed', 9_999, 'cancelled');
  const open = await created('history/now', ['a[h9]', 'b']);
  const { view } = await run(open);
  const { history } = view;
  assert.equal(history?.runs, 3);
  assert.equal(Math.round((history?.total.p50Ms ?? 0) / 1000), 20);
  assert.deepEqual([...(history?.steps.keys() ?? [])], ['a']);
  assert.equal(Math.round((history?.steps.get('a')?.p50Ms ?? 0) / 1000), 10);
  assert.equal(progressOf(view, new Date().toISOString()).remaining, null, 'nobody knows how long b takes');
  const other = await created('unknown/x');
  assert.equal((await run(other)).view.history, null);
});

test('of an operation that is over a list reads neither nodes nor plan', async () => {
  const [over, open] = [await created('postgres/over'), await created('postgres/open')];
  await sql.query(`update operations set status = 'cancelled', ended_at = now() where id = $1`, [over.id]);
  const rows = await db.readModel.operationsByRef([over.id, open.id]);
  const runs = await db.readModel.runs(rows, 'open');
  const seen = [over, open].map(({ id }) => {
    const view = runs.get(id);
    return [view?.nodes.length, view?.plan?.nodes.length ?? null, view?.stages.length];
  });
  assert.deepEqual(seen, [
    [0, null, 1],
    [2, 2, 1],
  ]);
});

test('parts are found by their parent, in the order in which they were made', async () => {
  const [parent, one, two] = [await created('p/0'), await created('p/1'), await created('p/2')];
  await sql.query('update operations set parent_operation_id = $1 where id = any ($2)', [
    parent.id,
    [one.id, two.id],
  ]);
  const children = await db.readModel.childrenOf([parent.id, one.id]);
  assert.deepEqual(
    children.map((child) => [child.id, child.parentId]),
    [
      [one.id, parent.id],
      [two.id, parent.id],
    ],
  );
});

test('events, evidence and artifacts of many operations come page by page, each parent its own', async () => {
  const [one, two] = [await created('rec/1'), await created('rec/2')];
  for (const operation of [one, two]) {
    const evidence = Array.from({ length: 3 }, (_, i) =>
      sampleEvidence(db, { id: `ev_${operation.id}_${i}`, nodeKey: 'a' }),
    );
    await write(operation, [{ type: 'operation_started' }], { evidence });
    for (const i of [1, 2, 3])
      await sql.query(
        `insert into artifacts (id, owner, name, version, sensitive, size, content_hash, storage_kind, storage_ref, keep, operation_id)
         values ($1, $2, $3, $4, false, 5, 'h', 'blob', 'none', $5, $6)`,
        [
          `art_${operation.id}_${i}`,
          operation.plan.subject.key,
          i === 3 ? 'b' : 'a',
          i === 3 ? 1 : i,
          i === 3 ? 'operation' : 'resource',
          operation.id,
        ],
      );
  }
  const ids = [one.id, two.id];
  const events = await db.readModel.eventsOf(ids, 1, 1);
  assert.deepEqual(
    ids.map((id) => events.get(id)?.map(({ event }) => event.sequence)),
    [[2], [2]],
  );
  const page = await db.readModel.evidencePages(ids, { after: `ev_${one.id}_0`, limit: 5 });
  assert.deepEqual(
    page.get(one.id)?.map((row) => row.id),
    [`ev_${one.id}_1`, `ev_${one.id}_2`],
  );
  assert.match(page.get(two.id)?.[0]?.planId ?? '', /^plan_/);
  const made = await db.readModel.artifactPages('operation', ids, { after: null, limit: 2 });
  assert.deepEqual(
    ids.map((id) => made.get(id)?.map((row) => row.id)),
    ids.map((id) => [`art_${id}_1`, `art_${id}_2`]),
  );
  const owned = await db.readModel.artifactPages('owner', ['rec/1', 'rec/none'], { after: null, limit: 10 });
  assert.deepEqual(
    owned.get('rec/1')?.map((row) => [row.name, row.version]),
    [['a', 2]],
    'the newest version that outlives its operation',
  );
  assert.equal(owned.get('rec/none'), undefined);
});

test('bytes are given of artifacts that are small and no secret', async () => {
  const operation = await created('bytes/1');
  const hash = await db.blobs.put(new TextEncoder().encode('hello'));
  const insert = (id: string, sensitive: boolean, size: number) =>
    sql.query(
      `insert into artifacts (id, owner, name, version, sensitive, size, content_hash, storage_kind, storage_ref, keep, operation_id)
       values ($1, 'bytes/1', $1, 1, $2, $3, 'h', 'blob', $4, 'resource', $5)`,
      [id, sensitive, size, hash, operation.id],
    );
  await insert('art_small', false, 5);
  await insert('art_secret', true, 5);
  await insert('art_large', false, 100_000);
  const bytes = await db.readModel.artifactBytes(['art_small', 'art_secret', 'art_large'], 65_536);
  assert.deepEqual(
    [...bytes].map(([id, value]) => [id, Buffer.from(value).toString()]),
    [['art_small', 'hello']],
  );
});
