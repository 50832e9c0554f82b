import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileDatabase } from './file-database.js';
import { createSample, SampleOperation, sampleEvidence, samplePlan } from './sample-operation.js';

const { db, sql } = await fileDatabase();

const created = (subject: string) => createSample(db, samplePlan(subject, ['a', 'b'], ['a>b']));

test('operations are listed newest first, by page and by subject', async () => {
  const made = [await created('postgres/l1'), await created('postgres/l2'), await created('postgres/l3')];
  const all = await db.readModel.operations({ first: 10 });
  assert.deepEqual(
    all.map((o) => o.id),
    made.map((o) => o.id).reverse(),
  );
  assert.deepEqual(all[0]?.title, { en: 'Install it', ru: 'Установить' });
  assert.equal(all[0]?.environment, 'default');
  assert.match(all[0]?.createdAt ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const [newest] = await db.readModel.operations({ first: 1 });
  const rest = await db.readModel.operations({ first: 10, before: newest?.id });
  assert.deepEqual(
    rest.map((o) => o.id),
    all.slice(1).map((o) => o.id),
  );
  assert.deepEqual(
    (await db.readModel.operations({ first: 10, subject: 'postgres/l2' })).map((o) => o.subject),
    ['postgres/l2'],
  );
});

test('[L9] events across operations: one that commits late is not skipped', async () => {
  const start = await db.readModel.eventsAcross(null, 500);
  const after = start.events.at(-1) ?? null;
  const late = await sql.connect();
  await late.query('begin');
  await late.query(
    `insert into events (operation_id, sequence, v, type, actor) values ('op_late', 1, 1, 'operation_planned', 'human:ada')`,
  );
  await created('postgres/early');
  // The other one has a higher transaction number and is committed, but a reader that saw it now would never see the late one.
  assert.deepEqual((await db.readModel.eventsAcross(after, 500)).events, []);
  await late.query('commit');
  late.release();
  const both = await db.readModel.eventsAcross(after, 500);
  assert.deepEqual(
    both.events.map((e) => e.operationId === 'op_late'),
    [true, false],
  );
  assert.deepEqual(
    (await db.readModel.eventsAcross(both.events[0] ?? null, 500)).events.map((e) => e.id),
    [both.events[1]?.id],
  );
});

test('[L9] a reader across operations beside 8 writers sees each event once, in the order of each operation', async () => {
  const { events: before } = await db.readModel.eventsAcross(null, 500);
  let position = before.at(-1) ?? null;
  const seen: string[] = [];
  let total = Number.POSITIVE_INFINITY;
  const reader = (async () => {
    // Any transaction of the whole server, such as an automatic analyze, holds the newest events back for a moment.
    for (const end = Date.now() + 15_000; seen.length < total && Date.now() < end; ) {
      const { events } = await db.readModel.eventsAcross(position, 50);
      position = events.at(-1) ?? position;
      seen.push(...events.map((e) => `${e.operationId} ${e.event.sequence}`));
    }
  })();
  const expected: string[] = [];
  await Promise.all(
    Array.from({ length: 8 }, async (_, w) => {
      const operation = await created(`postgres/w${w}`);
      const lease = await db.store.lease(operation.id, `w${w}`, 20_000);
      assert.ok(lease);
      for (const body of [
        { type: 'operation_started' },
        { type: 'operation_cancelling' },
        { type: 'operation_cancelled' },
      ] as const) {
        assert.equal(await db.store.commit(lease, operation.change([body])), 'committed');
      }
      expected.push(...[1, 2, 3, 4].map((n) => `${operation.id} ${n}`));
    }),
  );
  total = expected.length;
  await reader;
  assert.deepEqual([...seen].sort(), expected.sort());
  for (const id of new Set(seen.map((s) => s.split(' ')[0]))) {
    assert.deepEqual(
      seen.filter((s) => s.startsWith(`${id} `)),
      [1, 2, 3, 4].map((n) => `${id} ${n}`),
    );
  }
});

test('events of an operation are read in pages; attempts and evidence also by node', async () => {
  const operation = await created('postgres/pages');
  const lease = await db.store.lease(operation.id, 'w1', 20_000);
  assert.ok(lease);
  const [a, b] = [db.ids.next('att'), db.ids.next('att')];
  const evidence = [sampleEvidence(db, { nodeKey: 'a' }), sampleEvidence(db, { nodeKey: 'b' })];
  const satisfied = (nodeKey: string, attemptId: string) =>
    ({ type: 'attempt_satisfied', nodeKey, attemptId, number: 1, host: 'node/lab-1' }) as const;
  const change = operation.change([{ type: 'operation_started' }, satisfied('a', a), satisfied('b', b)], {
    evidence,
  });
  assert.equal(await db.store.commit(lease, change), 'committed');
  assert.deepEqual(
    (await db.readModel.events(operation.id, 1, 2)).map((e) => e.event.sequence),
    [2, 3],
  );
  assert.deepEqual(
    (await db.readModel.attempts(operation.id)).map((t) => t.id),
    [a, b],
  );
  assert.deepEqual(
    (await db.readModel.attempts(operation.id, ['b'])).map((t) => t.id),
    [b],
  );
  assert.deepEqual(
    (await db.readModel.evidence(operation.id, ['b'])).map((e) => e.id),
    [evidence[1]?.id],
  );
  assert.equal((await db.readModel.evidence(operation.id)).length, 2);
});

test('[C19] NUL and half a surrogate pair in what a host says do not fail the write, and can be read', async () => {
  const operation = await created('postgres/bytes');
  const lease = await db.store.lease(operation.id, 'w1', 20_000);
  assert.ok(lease);
  const att = db.ids.next('att');
  const bad = 'a\u0000b\ud800c\udc00 \u{1f600}';
  const change = operation.change(
    [
      { type: 'operation_started' },
      operation.startEvent('a', att),
      { type: 'attempt_started', nodeKey: 'a', attemptId: att, incarnation: bad },
      {
        type: 'attempt_disconnected',
        nodeKey: 'a',
        attemptId: att,
        reason: { code: 'unreachable', args: { said: bad } },
      },
    ],
    {
      evidence: [sampleEvidence(db, { observed: bad, expected: bad, attributes: { said: bad } })],
      facts: [
        {
          resource: 'postgres/bytes',
          capability: 'x',
          state: 'holds',
          attributes: { said: bad },
          provenance: 'real',
          evidence: [],
          checkDigest: 'c',
          packVersion: '1',
          freshForMs: null,
        },
      ],
    },
  );
  assert.equal(await db.store.commit(lease, change), 'committed');
  const events = await db.readModel.events(operation.id, 0, 10);
  assert.deepEqual(
    events.slice(1).map((e) => e.event),
    change.events,
    'documents keep every unit',
  );
  const [evidence] = await db.readModel.evidence(operation.id);
  assert.equal(evidence?.observed, 'a\\u0000b\\ud800c\\udc00 \u{1f600}', 'texts show them as escapes');
  assert.deepEqual(evidence?.attributes, { said: bad });
  assert.deepEqual((await db.inventory.facts(['postgres/bytes']))[0]?.attributes, { said: bad });
  await db.audit.record({ actor: 'human:ada', action: 'look', object: bad, detail: { said: bad } });
  assert.equal(
    (await db.store.load(operation.id))?.attempts[0]?.incarnation,
    'a\\u0000b\\ud800c\\udc00 \u{1f600}',
  );
});

test('[S19] facts: proved and fresh by the database clock; one that no longer holds keeps the time at which it did', async () => {
  const operation = await created('postgres/facts');
  const lease = await db.store.lease(operation.id, 'w1', 20_000);
  assert.ok(lease);
  const fact = {
    resource: 'postgres/facts',
    capability: 'c',
    attributes: {},
    provenance: 'real',
    evidence: ['e1', 'e2'],
    checkDigest: 'c',
    packVersion: '1',
  } as const;
  const write = (facts: Parameters<SampleOperation['change']>[1]) =>
    db.store.commit(lease, operation.change([], facts));
  assert.equal(
    await write({
      facts: [
        { ...fact, state: 'failed', freshForMs: null },
        { ...fact, state: 'holds', freshForMs: 60_000 },
      ],
    }),
    'committed',
  );
  const [holds] = await db.inventory.facts(['postgres/facts']);
  assert.equal(holds?.state, 'holds');
  assert.deepEqual(holds?.evidence, ['e1', 'e2']);
  const { rows } = await sql.query(`select abs(extract(epoch from now() - $1::timestamptz)) < 5 as near`, [
    holds?.provedAt,
  ]);
  assert.equal(rows[0].near, true);
  assert.equal(Date.parse(holds?.freshUntil ?? '') - Date.parse(holds?.provedAt ?? ''), 60_000);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(
    await write({ facts: [{ ...fact, state: 'stale', evidence: [], freshForMs: null }] }),
    'committed',
  );
  const [stale] = await db.inventory.facts(['postgres/facts']);
  assert.equal(stale?.state, 'stale');
  assert.equal(stale?.provedAt, holds?.provedAt);
  assert.equal(stale?.freshUntil, null);
  assert.deepEqual(stale?.evidence, []);
});

test('[S4] what a job disturbs is stale from its commit on, and only what held; a fact of the same commit too', async () => {
  const operation = await created('postgres/disturb');
  const lease = await db.store.lease(operation.id, 'w1', 20_000);
  assert.ok(lease);
  const fact = (capability: string, state: 'holds' | 'failed') =>
    ({
      resource: 'postgres/disturb',
      capability,
      state,
      attributes: {},
      provenance: 'real',
      evidence: [],
      checkDigest: 'c',
      packVersion: '1',
      freshForMs: 60_000,
    }) as const;
  const write = (more: Parameters<SampleOperation['change']>[1]) =>
    db.store.commit(lease, operation.change([], more));
  const named = (capability: string) => ({ resource: 'postgres/disturb', capability });
  await write({ facts: [fact('a', 'holds'), fact('b', 'failed'), fact('c', 'holds'), fact('d', 'holds')] });
  const before = await db.inventory.facts(['postgres/disturb']);
  const staleFacts = [named('a'), named('a'), named('b'), named('c'), named('never')];
  assert.equal(await write({ facts: [fact('c', 'holds')], staleFacts }), 'committed');
  const facts = await db.inventory.facts(['postgres/disturb']);
  assert.deepEqual(
    facts.map((f) => [f.capability, f.state]),
    [
      ['a', 'stale'],
      ['b', 'failed'],
      ['c', 'stale'],
      ['d', 'holds'],
    ],
  );
  assert.deepEqual({ ...facts[0], state: 'holds' }, before[0], 'the rest is untouched');
});

test('the epoch of the feed names the cluster, and ready tells a migrated database', async () => {
  const { epoch } = await db.readModel.eventsAcross(null, 1);
  assert.match(epoch, /^[0-9a-f]{16}\.\d+\.1$/);
  assert.equal(await db.readModel.ready(), true);
});
