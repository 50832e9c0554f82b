import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileDatabase } from './file-database.js';
import {
  createSample,
  leaseSample,
  SampleOperation,
  sampleEvidence,
  samplePlan,
} from './sample-operation.js';

let count = 0;
const { db, sql } = await fileDatabase();

const created = (keys = ['a', 'b'], edges = ['a>b']) =>
  createSample(db, samplePlan(`postgres/t${++count}`, keys, edges));
const leased = (operation: SampleOperation, owner?: string, leaseMs?: number) =>
  leaseSample(db, operation, owner, leaseMs);

test('create writes everything of an operation, and load gives it back by id and by number', async () => {
  const operation = await created();
  const byId = await db.store.load(operation.id);
  assert.ok(byId);
  assert.deepEqual(byId.plan, operation.plan);
  assert.deepEqual(await db.store.load(byId.number), byId);
  assert.match(byId.number, /^op-\d+$/);
  assert.equal(byId.environment, 'default');
  assert.equal(byId.sequence, 1);
  assert.equal(byId.status, 'planned');
  assert.deepEqual(byId.createdBy, { kind: 'human', id: 'ada' });
  assert.deepEqual(
    byId.nodes.map((n) => [n.key, n.status, n.pending, n.sequence]),
    [
      ['a', 'ready', 0, 1],
      ['b', 'pending', 1, 0],
    ],
  );
  assert.deepEqual(byId.attempts, []);
  assert.equal(await db.store.load('op-999999'), null);
  assert.equal(await db.store.load('op_unknown'), null);
  const resource = (await db.inventory.resources()).find((r) => r.key === operation.plan.subject.key);
  assert.equal(resource?.environment, 'default');
  const { rows } = await sql.query('select source, target from edges where operation_id = $1', [
    operation.id,
  ]);
  assert.deepEqual(rows, [{ source: 'a', target: 'b' }]);
});

test('create is refused while another operation of the subject is not over, and names it; 8 at once have one winner', async () => {
  const plan = samplePlan('postgres/one', ['a']);
  const results = await Promise.all(
    Array.from({ length: 8 }, () => db.store.create(new SampleOperation(db, plan).asNew())),
  );
  const winners = results.filter((r) => r.kind === 'created');
  assert.equal(winners.length, 1);
  const [winner] = winners;
  assert.ok(winner && 'id' in winner);
  for (const loser of results.filter((r) => r !== winner)) {
    assert.deepEqual(loser, { kind: 'running', id: winner.id, number: winner.number });
  }
});

test('the same idempotency key answers with the same operation, another input is a conflict', async () => {
  const key = { subject: 'ada', mutation: 'startOperation', key: 'k1', inputHash: 'h1' };
  const plan = samplePlan('postgres/idem', ['a']);
  const [one, two] = await Promise.all(
    [1, 2].map(() => db.store.create(new SampleOperation(db, plan).asNew(key))),
  );
  assert.ok(one && two && 'id' in one && 'id' in two);
  assert.deepEqual([one.kind, two.kind].sort(), ['created', 'repeated']);
  assert.equal(one.id, two.id);
  const other = await db.store.create(
    new SampleOperation(db, samplePlan('postgres/idem2', ['a'])).asNew({ ...key, inputHash: 'h2' }),
  );
  assert.deepEqual(other, { kind: 'idempotency_conflict' });
  await sql.query(`update idempotency set at = now() - interval '25 hours' where key = 'k1'`);
  const later = await db.store.create(
    new SampleOperation(db, samplePlan('postgres/idem3', ['a'])).asNew({ ...key, inputHash: 'h2' }),
  );
  assert.equal(later.kind, 'created');
});

test('[L9] a refused create leaves nothing behind', async () => {
  const operation = new SampleOperation(db, samplePlan('postgres/nowhere', ['a'], [], 'mars'));
  const key = { subject: 'ada', mutation: 'startOperation', key: 'mars', inputHash: 'h' };
  await assert.rejects(db.store.create(operation.asNew(key)), { code: 'unknown_environment' });
  const { rows } = await sql.query(`select (select count(*) from idempotency where key = 'mars')::int as keys,
    (select count(*) from resources where key = 'postgres/nowhere')::int as resources`);
  assert.deepEqual(rows, [{ keys: 0, resources: 0 }]);
});

test('[S12] a commit writes the whole transition: operation, nodes, attempts, stages, events, evidence, facts, artifacts, proofs', async () => {
  const operation = await created();
  const lease = await leased(operation);
  const att = db.ids.next('att');
  assert.equal(
    await db.store.commit(
      lease,
      operation.change([{ type: 'operation_started' }, operation.startEvent('a', att)]),
    ),
    'committed',
  );
  const evidence = sampleEvidence(db, { nodeKey: 'a', attemptId: att, startedAfter: 3 });
  const done = operation.change(
    [
      { type: 'attempt_started', nodeKey: 'a', attemptId: att, incarnation: 'boot-1' },
      { type: 'attempt_ended', nodeKey: 'a', attemptId: att, end: { kind: 'exited', code: 0 } },
      {
        type: 'attempt_closed',
        nodeKey: 'a',
        attemptId: att,
        status: 'succeeded',
        reason: null,
        node: 'succeeded',
      },
    ],
    {
      wakeInMs: 5000,
      stages: [operation.stage(1)],
      evidence: [evidence],
      facts: [
        {
          resource: 'postgres/main',
          capability: 'database.postgresql',
          state: 'holds',
          attributes: { port: 5432 },
          provenance: 'real',
          evidence: [evidence.id],
          checkDigest: 'c',
          packVersion: '1.0.0',
          freshForMs: 60_000,
        },
      ],
      artifacts: [
        {
          id: db.ids.next('art'),
          owner: 'postgres/main',
          name: 'dsn',
          sensitive: false,
          size: 3,
          contentHash: 'h',
          storage: { kind: 'blob', hash: 'h' },
          keep: 'resource',
          nodeKey: 'a',
          attemptId: att,
          ttlMs: 1000,
        },
      ],
      proofs: [
        {
          subject: 'postgres/main',
          job: 'postgres:install',
          target: 'node/lab-1',
          inputHash: 'i1',
          attemptId: att,
        },
      ],
    },
  );
  assert.equal(await db.store.commit(lease, done), 'committed');

  const stored = await db.store.load(operation.id);
  assert.ok(stored);
  assert.equal(stored.sequence, operation.state.sequence);
  assert.equal(stored.status, 'running');
  const { successors: _, ...nodeA } = operation.state.nodes.get('a') ?? { successors: [] };
  assert.deepEqual(stored.nodes[0], nodeA);
  assert.equal(stored.nodes[1]?.status, 'ready');
  assert.deepEqual(stored.attempts, [operation.state.attempts.get('a')]);
  const events = await db.readModel.events(operation.id, 0, 500);
  assert.deepEqual(
    events.map((e) => e.event.sequence),
    [1, 2, 3, 4, 5, 6],
  );
  assert.deepEqual(
    events.slice(3).map((e) => e.event),
    done.events,
  );
  assert.deepEqual(
    await db.readModel.stages(operation.id),
    [operation.stage(1)].map((s) => ({ ...s, sequence: done.stages[0]?.sequence })),
  );
  const [shown] = await db.readModel.evidence(operation.id);
  assert.ok(shown?.freshUntil);
  assert.deepEqual({ ...shown, freshUntil: evidence.freshUntil }, evidence);
  const [attempt] = await db.readModel.attempts(operation.id, ['a']);
  assert.equal(attempt?.status, 'succeeded');
  assert.ok(attempt?.endedAt);
  assert.equal(attempt?.logSize, 0);
  const [fact] = await db.inventory.facts(['postgres/main']);
  assert.deepEqual(fact?.evidence, [evidence.id]);
  assert.equal((await db.proofs.proofs('postgres/main')).get('postgres:install|node/lab-1'), 'i1');
  const [artifact] = await db.inventory.artifacts({ owner: 'postgres/main' });
  assert.deepEqual(artifact?.storage, { kind: 'blob', hash: 'h' });
  assert.equal(artifact?.version, 1);
  assert.equal(
    Date.parse(artifact?.expiresAt ?? '') - Date.parse(attempt?.startedAt ?? ''),
    1000,
    '[S17] counts from the start of the attempt',
  );
});

test('[S1] a stalled owner that wakes late changes 0 rows', async () => {
  const operation = await created();
  const stalled = await leased(operation, 'slow', 1);
  const late = operation.change(
    [{ type: 'operation_started' }, operation.startEvent('a', db.ids.next('att'))],
    { stages: [operation.stage(1)] },
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  const winner = await leased(operation, 'quick');
  const before = await db.store.load(operation.id);
  assert.equal(await db.store.commit(stalled, late), 'fenced');
  assert.deepEqual(await db.store.load(operation.id), before);
  assert.equal((await db.readModel.events(operation.id, 0, 10)).length, 1);
  assert.equal(await db.store.commit(winner, late), 'committed');
});

test('[S12] another sequence is stale, another lease is fenced, an unknown operation is fenced', async () => {
  const operation = await created();
  const lease = await leased(operation);
  const wrong = { ...operation.change([{ type: 'operation_started' }]), expectedSequence: 7, sequence: 8 };
  assert.equal(await db.store.commit(lease, wrong), 'stale');
  assert.equal(await db.store.commit({ ...lease, counter: lease.counter - 1 }, wrong), 'fenced');
  assert.equal(await db.store.commit({ ...lease, owner: 'other' }, wrong), 'fenced');
  assert.equal(await db.store.commit(lease, { ...wrong, operationId: 'op_unknown' }), 'fenced');
});

test('[S12] of two commits on one sequence one wins, and no part of the other is kept', async () => {
  const operation = await created(['a', 'b'], []);
  const lease = await leased(operation);
  const base = operation.change([{ type: 'operation_started' }]);
  const kinds = ['first', 'second'].map((id) => ({
    ...base,
    evidence: [sampleEvidence(db, { id })],
    events: base.events.map((e) => ({ ...e, actor: { kind: 'service' as const, id } })),
  }));
  const results = await Promise.all(kinds.map((change) => db.store.commit(lease, change)));
  assert.deepEqual([...results].sort(), ['committed', 'stale']);
  const events = await db.readModel.events(operation.id, 1, 10);
  const evidence = await db.readModel.evidence(operation.id);
  assert.equal(events.length, 1);
  assert.deepEqual(
    evidence.map((e) => e.id),
    [events[0]?.event.actor.id],
  );
});

test('[L9] a commit that names a row the operation does not have is taken back whole', async () => {
  const operation = await created();
  const lease = await leased(operation);
  const change = operation.change([{ type: 'operation_started' }]);
  const [node] = operation.state.nodes.values();
  assert.ok(node);
  await assert.rejects(db.store.commit(lease, { ...change, nodes: [{ ...node, key: 'ghost' }] }), {
    code: 'row_missing',
  });
  await assert.rejects(db.store.commit(lease, { ...change, sequence: change.sequence + 1 }), {
    code: 'sequence_gap',
  });
  assert.equal((await db.store.load(operation.id))?.sequence, 1);
  assert.equal(await db.store.commit(lease, change), 'committed');
});

test('[L9] sequences are unique and without a gap over many commits and commands', async () => {
  const keys = Array.from({ length: 30 }, (_, i) => `n${i}`);
  const operation = await created(
    keys,
    keys.slice(1).map((key, i) => `n${i}>${key}`),
  );
  const lease = await leased(operation);
  assert.equal(await db.store.commit(lease, operation.change([{ type: 'operation_started' }])), 'committed');
  for (const key of keys) {
    const att = db.ids.next('att');
    const change = operation.change([
      { type: 'attempt_satisfied', nodeKey: key, attemptId: att, number: 1, host: 'node/lab-1' },
    ]);
    assert.equal(await db.store.commit(lease, change), 'committed');
  }
  assert.equal(
    await db.store.commit(lease, operation.change([{ type: 'operation_succeeded' }])),
    'committed',
  );
  const events = await db.readModel.events(operation.id, 0, 500);
  assert.deepEqual(
    events.map((e) => e.event.sequence),
    Array.from({ length: 33 }, (_, i) => i + 1),
  );
  const stored = await db.store.load(operation.id);
  assert.equal(stored?.status, 'succeeded');
  assert.ok(stored?.endedAt);
  assert.equal(await db.store.lease(operation.id, 'w9', 1000), null, 'what is over is not driven');
  assert.equal(
    (await db.store.create(new SampleOperation(db, operation.plan).asNew())).kind,
    'created',
    'the subject is free again',
  );
});

test('[S12] a transition of 100 nodes is written like one of two', async () => {
  const keys = Array.from({ length: 100 }, (_, i) => `wide[${i}]`);
  const operation = await created(keys, []);
  const lease = await leased(operation);
  const satisfied = (nodeKey: string) =>
    ({
      type: 'attempt_satisfied',
      nodeKey,
      attemptId: db.ids.next('att'),
      number: 1,
      host: 'node/lab-1',
    }) as const;
  const change = operation.change([{ type: 'operation_started' }, ...keys.map(satisfied)], {
    evidence: keys.map((nodeKey) => sampleEvidence(db, { nodeKey })),
    facts: keys.map((key) => ({
      resource: `postgres/${key}`,
      capability: 'c',
      state: 'holds',
      attributes: { key },
      provenance: 'real',
      evidence: ['e'],
      checkDigest: 'c',
      packVersion: '1',
      freshForMs: 1000,
    })),
    artifacts: keys.map((name, i) => ({
      id: db.ids.next('art'),
      owner: 'postgres/wide',
      name: `a${i % 50}`,
      sensitive: false,
      size: i,
      contentHash: name,
      storage: { kind: 'blob', hash: name },
      keep: 'resource',
      nodeKey: name,
      attemptId: null,
      ttlMs: null,
    })),
    proofs: keys.map((job) => ({
      subject: 'postgres/wide',
      job,
      target: 'node/lab-1',
      inputHash: job,
      attemptId: 'att',
    })),
  });
  assert.equal(await db.store.commit(lease, change), 'committed');
  const stored = await db.store.load(operation.id);
  assert.ok(stored);
  assert.deepEqual(
    stored.nodes.map((n) => [n.key, n.status]),
    keys.map((key) => [key, 'succeeded']),
  );
  assert.equal(stored.attempts.length, 100);
  assert.deepEqual(
    (await db.readModel.events(operation.id, 1, 500)).map((e) => e.event),
    change.events,
  );
  assert.equal((await db.readModel.evidence(operation.id)).length, 100);
  assert.equal((await db.inventory.facts(keys.map((key) => `postgres/${key}`))).length, 100);
  const artifacts = await db.inventory.artifacts({ owner: 'postgres/wide' });
  assert.deepEqual(new Set(artifacts.map((a) => a.version)), new Set([2]));
  assert.equal(
    artifacts.find((a) => a.name === 'a7')?.contentHash,
    'wide[57]',
    'the later of two is the newer',
  );
  assert.equal((await db.proofs.proofs('postgres/wide')).size, 100);
});
