import 'reflect-metadata';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notAllowed } from '@capstan/engine';
import { type TestNode, testPlan } from '@capstan/engine/testing';
import { type Served, serve } from '../api/served.test-support.js';
import { toProblem } from './problem.js';

/** An operation of these nodes that ran to its end. */
async function ran(t: Parameters<typeof serve>[0], nodes: readonly TestNode[]): Promise<Served> {
  const served = await serve(t, testPlan(nodes));
  const worker = served.engine.worker('w1');
  await worker.start();
  t.after(() => worker.stop());
  await served.query(
    `mutation { startOperation(input: { document: { yaml: "good" }, idempotencyKey: "key-00000001" }) { __typename } }`,
  );
  await served.engine.until(
    'its end',
    async () => (await served.engine.operations.load('op-1'))?.status === 'succeeded',
  );
  return served;
}

test('everything with an id is found again by it, in the order of the ids, and what is not there is null', async (t) => {
  const served = await ran(t, [{ key: 'a', checks: { c: { title: { en: 'There?', ru: 'Есть?' } } } }]);
  const { operation } = await served.query<{
    operation: {
      id: string;
      plan: { id: string };
      resource: { id: string } | null;
      evidence: { edges: { cursor: string; node: { id: string } }[] };
      nodeRuns: { attemptId: string }[];
    };
  }>(
    '{ operation(ref: "op-1") { id plan { id } evidence(first: 10) { edges { cursor node { id } } } nodeRuns { attemptId } } }',
  );
  const [edge] = operation.evidence.edges;
  assert.equal(edge?.cursor, edge?.node.id);
  const ids = [
    'op_gone',
    operation.id,
    operation.plan.id,
    operation.nodeRuns[0]?.attemptId,
    edge?.node.id,
    'host_h1',
    'unknown',
  ];
  const { nodes } = await served.query<{ nodes: ({ __typename: string; id: string } | null)[] }>(
    `query($ids: [ID!]!) { nodes(ids: $ids) { __typename id
      ... on Evidence { asked { text(locale: "ru") } capability } } }`,
    { ids },
  );
  assert.deepEqual(
    nodes.map((node) => node?.__typename ?? null),
    [null, 'Operation', 'Plan', 'Attempt', 'Evidence', 'Host', null],
  );
  assert.deepEqual(nodes[4], { ...nodes[4], asked: { text: 'Есть?' }, capability: 'cap.a' });
  const { node } = await served.query<{ node: { name: string } }>(
    '{ node(id: "host_h1") { ... on Host { name facts { capability } } } }',
  );
  assert.equal(node.name, 'h1');
  const many = await served.post(
    JSON.stringify({
      query: 'query($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      variables: { ids: Array.from({ length: 101 }, (_, i) => `op_${i}`) },
    }),
  );
  assert.match(await many.text(), /TOO_EXPENSIVE/);
});

test('a plan is given in the revision that is stored, and in no other', async (t) => {
  const served = await ran(t, [{ key: 'a' }]);
  const { operation } = await served.query<{ operation: { plan: { id: string } } }>(
    '{ operation(ref: "op-1") { plan { id } } }',
  );
  const plan = 'query($id: ID!, $revision: Int) { plan(id: $id, revision: $revision) { revision hash } }';
  for (const [revision, found] of [
    [null, true],
    [1, true],
    [2, false],
  ] as const) {
    const answer = await served.query<{ plan: unknown }>(plan, { id: operation.plan.id, revision });
    assert.equal(answer.plan !== null, found, `${revision}`);
  }
});

test('[L10] an artifact shows its value only when it is no secret, and text, and small', async (t) => {
  const served = await serve(t);
  const row = async (name: string, bytes: Uint8Array, sensitive = false) => {
    const hash = await served.engine.dependencies.blobs.put(bytes);
    served.engine.inventory.artifactRows.push({
      id: `art_${name}`,
      owner: 'node/h1',
      name,
      version: 1,
      sensitive,
      size: bytes.length,
      contentHash: 'h',
      operationId: null,
      keep: 'resource',
      createdAt: '2026-01-01T00:00:00.000Z',
      expiresAt: null,
      storage: { kind: 'blob', hash },
    });
  };
  const text = (words: string) => new TextEncoder().encode(words);
  await row('config', text('port = 1\n'));
  await row('password', text('hunter22'), true);
  await row('binary', Uint8Array.of(0xff, 0xfe));
  await row('large', text('x'.repeat(65_537)));
  const { resource } = await served.query<{
    resource: { artifacts: { nodes: { name: string; value: string | null }[] } };
  }>('{ resource(key: "node/h1") { artifacts(first: 10) { nodes { name sensitive value } } } }');
  assert.deepEqual(
    resource.artifacts.nodes.map(({ name, value }) => [name, value]),
    [
      ['binary', null],
      ['config', 'port = 1\n'],
      ['large', null],
      ['password', null],
    ],
  );
});

test('[C31] connections inside as many node runs as there are may hold 1,000 rows; by keys they are asked for in parts', async (t) => {
  const nodes = Array.from({ length: 101 }, (_, i) => ({ key: `n${i}` }));
  const served = await serve(t, testPlan(nodes));
  await served.query(
    `mutation { startOperation(input: { document: { yaml: "good" }, idempotencyKey: "key-00000001" }) { __typename } }`,
  );
  const ask = async (selection: string, variables: object = {}, more = '') =>
    (
      await served.post(
        JSON.stringify({
          query: `query($keys: [String!], $n: Int = 10) { operation(ref: "op-1") {
            nodeRuns(keys: $keys) { key first: attempts(first: $n) { pageInfo { hasNextPage } } ${selection} } } } ${more}`,
          variables,
        }),
      )
    ).text();
  assert.match(await ask(''), /TOO_EXPENSIVE/);
  const hidden = 'fragment F on NodeRun { attempts(first: 10) { nodes { id } } }';
  assert.match(await ask('...F', { n: 1 }, hidden), /TOO_EXPENSIVE/);
  for (const cheap of [{ n: 9 }, { keys: nodes.slice(0, 100).map((node) => node.key) }]) {
    const answer = JSON.parse(await ask('stale { text } actions { verb }', cheap)) as { errors?: unknown };
    assert.equal(answer.errors, undefined);
  }
});

test('[L11] who may not do something is told what is missing and who has it', () => {
  const refusal = toProblem([notAllowed({ kind: 'human', id: 'bob' }, 'run', ['human:ada', 'human:eve'])]);
  assert.deepEqual(
    { ...refusal, text: refusal.text.text(null), problems: [] },
    {
      code: 'not_allowed',
      text: 'human:bob may not do this: it needs the permission “run”',
      permission: 'run',
      whoCan: ['human:ada', 'human:eve'],
      problems: [],
    },
  );
});

test('what was proved and does not hold any more is said of the step that proved it', async (t) => {
  const served = await ran(t, [{ key: 'a', checks: { c: {} } }, { key: 'b' }]);
  const stale = async () =>
    (
      await served.query<{ operation: { nodeRuns: { stale: { code: string } | null }[] } }>(
        '{ operation(ref: "op-1") { nodeRuns { stale { code } } } }',
      )
    ).operation.nodeRuns.map((run) => run.stale?.code ?? null);
  assert.deepEqual(await stale(), [null, null]);
  const fact = served.engine.inventory.factRows.get('node/h1|cap.a');
  assert.ok(fact);
  served.engine.inventory.factRows.set('node/h1|cap.a', { ...fact, state: 'stale' });
  assert.deepEqual(await stale(), ['plan.fact_stale', null]);
  served.engine.inventory.factRows.set('node/h1|cap.a', { ...fact, freshUntil: '2026-01-01T00:00:00.000Z' });
  assert.deepEqual(await stale(), ['plan.fact_expired', null]);
});

test('an operation filters by status and need, and shows progress, blockers and what may be done', async (t) => {
  const served = await ran(t, [{ key: 'a', checks: { c: {} } }]);
  const list = async (filter: object) =>
    (
      await served.query<{ operations: { nodes: { number: string }[] } }>(
        'query($filter: OperationFilter) { operations(first: 10, filter: $filter) { nodes { number } } }',
        { filter },
      )
    ).operations.nodes.map((one) => one.number);
  assert.deepEqual(await list({ status: ['succeeded'] }), ['op-1']);
  assert.deepEqual(await list({ status: ['running'] }), []);
  assert.deepEqual(await list({ needsAttention: true }), []);
  assert.deepEqual(await list({ needsAttention: false, resource: 'thing/x' }), ['op-1']);
  const { operations } = await served.query<{ operations: { nodes: unknown[] } }>(
    `{ operations(first: 1) { nodes { progress { phase { text } phasesDone phasesTotal remaining { lowSeconds } } blockers { kind }
      actions { verb allowed why { code } } children { id } parent { id } } } }`,
  );
  assert.deepEqual(operations.nodes, [
    {
      progress: { phase: null, phasesDone: 1, phasesTotal: 1, remaining: null },
      blockers: [],
      actions: [
        { verb: 'cancel', allowed: false, why: { code: 'cancel.operation_over' } },
        { verb: 'retry', allowed: false, why: { code: 'retry.operation_over' } },
      ],
      children: [],
      parent: null,
    },
  ]);
});
