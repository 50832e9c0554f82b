import 'reflect-metadata';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testPlan } from '@capstan/engine/testing';
import { quietHosts, serve, TOKEN } from './served.test-support.js';

interface Refusal {
  readonly errors: readonly {
    readonly message: string;
    readonly extensions: { readonly code: string; readonly correlationId?: string };
  }[];
}

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as Refusal).errors[0]?.extensions.code ?? 'none';
}

const START = `mutation($input: StartInput!) { startOperation(input: $input) { __typename
  ... on StartedOperation { operation { number status } } ... on OperationRunning { running }
  ... on Problem { code text { text } problems { file line column expected } } } }`;
const input = (yaml: string, idempotencyKey: string) => ({ input: { document: { yaml }, idempotencyKey } });

test('without a good token nothing is answered, whatever the scheme', async (t) => {
  const served = await serve(t);
  const body = JSON.stringify({ query: '{ viewer { actor { id } } }' });
  for (const authorization of [
    '',
    'Bearer nothing',
    'Bearer ',
    `Basic ${TOKEN}`,
    TOKEN,
    `Bearer ${TOKEN} x`,
  ]) {
    const response = await served.post(body, { authorization });
    assert.equal(response.status, 401, authorization);
    assert.equal(await codeOf(response), 'UNAUTHENTICATED');
  }
  assert.deepEqual(await served.query('{ viewer { actor { kind id } } }'), {
    viewer: { actor: { kind: 'token', id: 'start' } },
  });
});

test('[C33] only a POST with a JSON body in UTF-8 reaches GraphQL', async (t) => {
  const served = await serve(t);
  const body = JSON.stringify({ query: '{ viewer { actor { id } } }' });
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json, text/plain',
  ]) {
    assert.equal((await served.post(body, { 'content-type': type })).status, 415, type);
  }
  const get = await fetch(`${served.url}graphql?query={viewer{actor{id}}}`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  assert.equal(get.status, 405);
  assert.equal((await served.post(body, { 'content-type': 'application/json; charset=utf-8' })).status, 200);
});

test('[C31] batches, large bodies and expensive queries are refused before anything is planned', async (t) => {
  const served = await serve(t);
  assert.equal((await served.post('[{"query":"{ viewer { actor { id } } }"}]')).status, 400);
  assert.equal((await served.post('{"query":')).status, 400);
  assert.equal((await served.post('null')).status, 400);
  const large = await served.post(
    JSON.stringify({ query: '{ viewer { actor { id } } }', variables: { x: 'x'.repeat(1_100_000) } }),
  );
  assert.equal(large.status, 413);
  const deep = await served.post(JSON.stringify({ query: `{ ${'a{'.repeat(11)} b ${'}'.repeat(12)}` }));
  assert.equal(await codeOf(deep), 'TOO_EXPENSIVE');
  const unknown = await served.post(JSON.stringify({ query: '{ nothing }' }));
  assert.equal(await codeOf(unknown), 'BAD_REQUEST');
});

test('what was not expected leaves as an id, without a detail of this machine', async (t) => {
  const served = await serve(t);
  const response = await served.post(
    JSON.stringify({ query: START, variables: input('bug', 'key-00000001') }),
  );
  const answer = (await response.json()) as Refusal;
  assert.equal(answer.errors[0]?.extensions.code, 'INTERNAL');
  assert.doesNotMatch(JSON.stringify(answer), /secret detail/);
  const id = answer.errors[0]?.extensions.correlationId ?? 'none';
  assert.equal(
    served.reported.filter((line) => line.includes(id) && line.includes('secret detail')).length,
    1,
  );
});

test('while the database is away the answer is 503, so that the same request may be sent again', async (t) => {
  const served = await serve(t);
  const response = await served.post(
    JSON.stringify({ query: START, variables: input('away', 'key-00000001') }),
  );
  assert.equal(response.status, 503);
  assert.equal(response.headers.get('retry-after'), '1');
  assert.equal(await codeOf(response), 'INTERNAL');
});

test('an intent is started, the second one of that resource is refused and names it', async (t) => {
  const served = await serve(t);
  const first = await served.query(START, input('good', 'key-00000001'));
  assert.deepEqual(first, {
    startOperation: { __typename: 'StartedOperation', operation: { number: 'op-1', status: 'planned' } },
  });
  const again = await served.query<{ startOperation: { __typename: string; operation: unknown } }>(
    START,
    input('good', 'key-00000001'),
  );
  assert.deepEqual(again, first, 'the same key is the same request');
  const second = await served.query<{ startOperation: Record<string, unknown> }>(
    START,
    input('good', 'key-00000002'),
  );
  assert.equal(second.startOperation.__typename, 'OperationRunning');
  assert.equal(second.startOperation.running, 'op-1');
  const conflict = await served.query<{ startOperation: { code: string } }>(START, {
    input: { document: { json: { other: true } }, idempotencyKey: 'key-00000003' },
  });
  assert.equal(conflict.startOperation.code, 'unknown_key');
});

test('a broken document is a typed problem with its places', async (t) => {
  const served = await serve(t);
  const answer = await served.query<{ startOperation: Record<string, unknown> }>(
    START,
    input('broken', 'key-00000001'),
  );
  assert.equal(answer.startOperation.__typename, 'InvalidDocument');
  assert.deepEqual(answer.startOperation.problems, [
    { file: 'document', line: 3, column: 5, expected: 'hosts' },
  ]);
});

test('exactly one spelling of a document, a sound idempotency key, and first from 1 to 100', async (t) => {
  const served = await serve(t);
  const both = { input: { document: { yaml: 'good', json: {} }, idempotencyKey: 'key-00000001' } };
  const bodies = [
    { query: START, variables: both },
    { query: START, variables: input('good', 'short') },
    { query: START, variables: input('good', 'has\u0000nul-in-it') },
    { query: '{ operations(first: 0) { nodes { id } } }' },
    { query: '{ operations(first: 101) { nodes { id } } }' },
  ];
  for (const body of bodies)
    assert.equal(await codeOf(await served.post(JSON.stringify(body))), 'BAD_REQUEST', JSON.stringify(body));
});

test('an operation is read whole: plan, stages, nodes, attempts, evidence, events and output', async (t) => {
  const hosts = quietHosts();
  const served = await serve(
    t,
    testPlan([
      { key: 'a', checks: { ready: {} } },
      { key: 'b', after: ['a'] },
    ]),
    hosts,
  );
  const worker = served.engine.worker('w1');
  await worker.start();
  t.after(() => worker.stop());
  await served.query(START, input('good', 'key-00000001'));
  await served.engine.until('the operation is over', async () => {
    const { operation } = await served.query<{ operation: { status: string } }>(
      '{ operation(ref: "op-1") { status } }',
    );
    return operation.status === 'succeeded';
  });
  const { operation } = await served.query<{
    operation: Record<string, unknown> & { nodeRuns: { key: string; attemptId: string }[] };
  }>(
    `{ operation(ref: "op-1") { number status resource { key } environment { name kind }
      plan { hash nodes { key dependsOn } } stages { id status done total }
      nodeRuns { key status attempt attemptId attempts(first: 10) { nodes { number status host exitCode log { size complete } } } evidence { check verdict } }
      events(first: 100) { nodes { sequence type nodeKey text { text } } pageInfo { hasNextPage } } } }`,
  );
  assert.deepEqual(operation.stages, [{ id: 'main', status: 'succeeded', done: 2, total: 2 }]);
  assert.equal(operation.nodeRuns.length, 2);
  const events = (operation.events as { nodes: { sequence: number; type: string }[] }).nodes;
  assert.deepEqual(
    events.map((event) => event.sequence),
    events.map((_, i) => i + 1),
  );
  assert.equal(events.at(-1)?.type, 'operation_succeeded');
  const log = await served.query(
    'query($attempt: ID!) { attemptLog(operation: "op-1", attempt: $attempt, from: 10) { from next text end } }',
    { attempt: operation.nodeRuns[0]?.attemptId },
  );
  assert.deepEqual(log, { attemptLog: { from: 10, next: 12, text: 'a\n', end: true } });
  assert.deepEqual(
    await served.query('{ attemptLog(operation: "op-1", attempt: "att_of_another") { next } }'),
    { attemptLog: null },
  );
});

test('attempts and evidence of all nodes cost one read each', async (t) => {
  const nodes = Array.from({ length: 20 }, (_, i) => ({ key: `n${i}` }));
  const served = await serve(t, testPlan(nodes));
  await served.query(START, input('good', 'key-00000001'));
  served.reads.clear();
  await served.query(
    '{ operation(ref: "op-1") { nodeRuns { attempts(first: 5) { nodes { id } } evidence { id } } } }',
  );
  assert.deepEqual([...served.reads].sort(), [
    ['attemptsOf', 1],
    ['evidenceOf', 1],
    ['operationsByRef', 1],
    ['runs', 1],
  ]);
});

test('cancel and retry answer with the state they meet', async (t) => {
  const served = await serve(t);
  await served.query(START, input('good', 'key-00000001'));
  const cancel = `mutation($key: String!) { controlOperation(input: { cancel: { operation: "op-1", idempotencyKey: $key } }) { __typename
    ... on CommandAccepted { sequence } ... on Problem { code } } }`;
  assert.equal(
    (await served.query<{ controlOperation: { __typename: string } }>(cancel, { key: 'cancel-0001' }))
      .controlOperation.__typename,
    'CommandAccepted',
  );
  const status = await served.query<{ operation: { status: string } }>(
    '{ operation(ref: "op-1") { status } }',
  );
  assert.equal(status.operation.status, 'cancelled');
  const again = await served.query<{ controlOperation: { code: string } }>(cancel, { key: 'cancel-0002' });
  assert.equal(again.controlOperation.code, 'illegal_state');
  const retry = `mutation { retryNode(input: { operation: "op-1", nodeKey: "a", idempotencyKey: "retry-0001" }) { __typename
    ... on Problem { code text { text } } } }`;
  const refused = await served.query<{ retryNode: { __typename: string; text: { text: string } } }>(retry);
  assert.equal(refused.retryNode.__typename, 'IllegalState');
  assert.match(refused.retryNode.text.text, /cancelled/);
});

test('lists page by cursor and end', async (t) => {
  const served = await serve(t);
  const page = await served.query<{
    hosts: { nodes: { name: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
  }>('{ hosts(first: 1) { nodes { name environment { kind } } pageInfo { hasNextPage endCursor } } }');
  assert.deepEqual(
    page.hosts.nodes.map((host) => host.name),
    ['h1'],
  );
  const rest = await served.query<{ hosts: { nodes: unknown[] } }>(
    `{ hosts(first: 1, after: "${page.hosts.pageInfo.endCursor}") { nodes { name } } }`,
  );
  assert.deepEqual(rest.hosts.nodes, []);
});

test('health, readiness, metrics and the page at / need no token; nothing else is there', async (t) => {
  const served = await serve(t);
  const get = (path: string) => fetch(new URL(path, served.url));
  assert.deepEqual(await (await get('healthz')).json(), { status: 'ok', instance: 'test' });
  assert.equal((await get('readyz')).status, 200);
  await served.query('{ viewer { actor { id } } }');
  assert.match(await (await get('metrics')).text(), /capstan_graphql_requests_total\{outcome="ok"\} 1/);
  const page = await get('');
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.match(await page.text(), /npx capstan apply/);
  assert.equal((await get('nothing')).status, 404);
});
