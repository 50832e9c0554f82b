import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli, fakeServer, fileWith, folder, settingsFor } from './cli.test-support.js';

const words = (text: string) => ({ text });
const reason = (code: string, text: string, args = {}) => ({ code, args, text });
const problem = (type: string, code: string, text: string, more: Record<string, unknown> = {}) => ({
  __typename: type,
  code,
  text: words(text),
  problems: [{ code, text: words(text), file: null, line: null, column: null, expected: null, ...more }],
});
const node = (key: string, status: string, why: unknown = null) => ({ key, status, reason: why });
const started = {
  __typename: 'StartedOperation',
  operation: {
    number: 'op-7',
    status: 'planned',
    title: words('Install PostgreSQL'),
    nodeRuns: [node('a', 'ready')],
  },
};
const plan = {
  __typename: 'Plan',
  hash: 'f'.repeat(64),
  title: words('Install'),
  resource: 'postgres/main',
  risk: 'medium',
  gates: [],
  stages: [{ id: 'prepare', title: words('Prepare') }],
  nodes: [
    {
      key: 'a',
      kind: 'job',
      stage: 'prepare',
      job: 'p:a',
      target: 'node/lab-1',
      dependsOn: [],
      origin: 'template',
      reason: null,
    },
  ],
  bindings: [
    {
      requirement: 'a/linux.host',
      kind: 'job',
      provider: 'check-host',
      reason: words('nothing else proves it'),
      candidates: [{ provider: 'check-host', taken: true, reason: words('gives it') }],
    },
  ],
};

/** An operation that ends with `status` after its events were read. */
function operationThat(status: string, nodes: unknown[], why: unknown = null) {
  const events = [
    { sequence: 1, at: '2026-01-01T10:00:00.000Z', text: words('planned') },
    { sequence: 2, at: '2026-01-01T10:00:01.000Z', text: words('a: starting on node/lab-1') },
  ];
  return ({ after }: { after?: number }) => ({
    number: 'op-7',
    sequence: 2,
    status,
    reason: why,
    resource: { key: 'postgres/main' },
    nodeRuns: nodes,
    events: {
      nodes: events.filter((event) => event.sequence > (after ?? 0)),
      pageInfo: { hasNextPage: false },
    },
  });
}

test('without a server every online verb says how to start it and ends with 1', async (t) => {
  const settings = settingsFor(t);
  for (const args of [
    ['get', 'resources'],
    ['cancel', 'op-1'],
    ['operation', 'show', 'op-1'],
    ['pack', 'reload'],
  ]) {
    const got = await cli(settings, ...args, '--json');
    assert.equal(got.code, 1, args.join(' '));
    assert.match(got.stderr, /no server runs on .*: start it with npm start/);
    assert.equal((got.json().problems as { code: string }[])[0]?.code, 'server_not_reached');
  }
});

test('a server that is gone is told from one that was never there', async (t) => {
  const data = folder(t);
  writeFileSync(join(data, 'token'), 'x');
  writeFileSync(
    join(data, 'server.json'),
    JSON.stringify({ url: 'http://127.0.0.1:9/', pid: 4_194_305, tokenFile: join(data, 'token') }),
  );
  const got = await cli(settingsFor(t, { data }), 'get', 'hosts');
  assert.equal(got.code, 1);
  assert.match(got.stderr, /nothing answers at http:\/\/127\.0\.0\.1:9\/: start it with npm start/);
});

test('wrong arguments end with 2 and, with --json, one document', async (t) => {
  const settings = settingsFor(t);
  const unknown = await cli(settings, 'aply', '--json');
  assert.equal(unknown.code, 2);
  assert.equal((unknown.json().problems as { code: string }[])[0]?.code, 'usage');
  assert.equal((await cli(settings, 'apply')).code, 2);
  assert.equal((await cli(settings, 'get', 'nothing')).code, 2);
  assert.equal((await cli(settings, '--help')).code, 0);
});

test('apply without --yes and without a terminal starts nothing and ends with 2', async (t) => {
  const server = await fakeServer(t, { previewPlan: plan, startOperation: started });
  const got = await cli(server.settings, 'apply', '-f', fileWith(t, 'intent: {}'), '--json');
  assert.equal(got.code, 2);
  assert.equal((got.json().problems as { code: string }[])[0]?.code, 'confirmation_needed');
  assert.ok(server.requests.every((request) => !request.query.startsWith('mutation')));
  assert.match(got.stderr, /check-host/);
});

test('apply --yes sends the document and the token once and prints the accepted operation', async (t) => {
  const server = await fakeServer(t, { startOperation: started });
  const got = await cli(
    server.settings,
    'apply',
    '-f',
    fileWith(t, 'intent: {action: x}'),
    '--yes',
    '--json',
  );
  assert.equal(got.code, 0);
  assert.deepEqual(got.json(), {
    operation: 'op-7',
    status: 'planned',
    nodes: [{ key: 'a', status: 'ready', reason: null }],
  });
  const input = server.requests[0]?.variables.input as { document: { yaml: string }; idempotencyKey: string };
  assert.equal(input.document.yaml, 'intent: {action: x}');
  assert.equal(server.requests[0]?.authorization, 'Bearer test-token');
});

test('a call that was cut is sent again with the same idempotency key', async (t) => {
  const server = await fakeServer(t, { startOperation: started });
  server.cutNext(2);
  assert.equal((await cli(server.settings, 'apply', '-f', fileWith(t, 'x'), '--yes')).code, 0);
  const keys = server.requests.map(
    (request) => (request.variables.input as { idempotencyKey: string }).idempotencyKey,
  );
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
});

test('two invocations are two requests', async (t) => {
  const server = await fakeServer(t, { startOperation: started });
  const file = fileWith(t, 'x');
  await cli(server.settings, 'apply', '-f', file, '--yes');
  await cli(server.settings, 'apply', '-f', file, '--yes');
  assert.equal(
    new Set(server.requests.map((r) => (r.variables.input as { idempotencyKey: string }).idempotencyKey))
      .size,
    2,
  );
});

test('apply --wait prints each event as a line and ends with the code of the end', async (t) => {
  const ends: [string, number][] = [
    ['succeeded', 0],
    ['failed', 1],
    ['cancelled', 1],
    ['needs_attention', 3],
  ];
  for (const [status, code] of ends) {
    const nodes = [
      node(
        'a',
        status === 'succeeded' ? 'succeeded' : 'failed',
        reason('already_satisfied', 'was true already'),
      ),
    ];
    const server = await fakeServer(t, { startOperation: started, operation: operationThat(status, nodes) });
    const got = await cli(server.settings, 'apply', '-f', fileWith(t, 'x'), '--yes', '--wait');
    assert.equal(got.code, code, status);
    assert.match(got.stdout, /^10:00:01 {2}a: starting on node\/lab-1$/m);
  }
});

test('apply --wait --json prints one document: operation, status, nodes with the reason as a plain string', async (t) => {
  const nodes = [
    node('a', 'succeeded', reason('already_satisfied', 'was true already')),
    node('b', 'failed', reason('exit_code', 'ended with exit code 3', { exitCode: 3 })),
    node('c', 'pending'),
  ];
  const server = await fakeServer(t, {
    startOperation: started,
    operation: operationThat('needs_attention', nodes),
  });
  const got = await cli(server.settings, 'apply', '-f', fileWith(t, 'x'), '--yes', '--wait', '--json');
  assert.deepEqual(got.json(), {
    operation: 'op-7',
    status: 'needs_attention',
    nodes: [
      { key: 'a', status: 'succeeded', reason: 'already_satisfied' },
      { key: 'b', status: 'failed', reason: 'exit_code: ended with exit code 3' },
      { key: 'c', status: 'pending', reason: null },
    ],
  });
  assert.match(got.stderr, /b is failed: ended with exit code 3/);
  assert.match(got.stderr, /capstan retry op-7 b/);
});

test('a changed host key tells how to accept it, a failed final proof how to retry all', async (t) => {
  const changed = node(
    'a',
    'ready',
    reason('host_key_changed', 'the host key changed', { expected: 'SHA256:a', offered: 'SHA256:b' }),
  );
  const first = await fakeServer(t, {
    startOperation: started,
    operation: operationThat('needs_attention', [changed]),
  });
  const got = await cli(first.settings, 'apply', '-f', fileWith(t, 'x'), '--yes', '--wait');
  assert.match(got.stderr, /capstan host accept-key <host> SHA256:b/);
  const proof = reason('provides_unproven', 'the final proof failed', { observed: 'x' });
  const second = await fakeServer(t, {
    startOperation: started,
    operation: operationThat('needs_attention', [node('a', 'succeeded')], proof),
  });
  const whole = await cli(second.settings, 'apply', '-f', fileWith(t, 'x'), '--yes', '--wait');
  assert.match(whole.stderr, /op-7 is needs_attention: the final proof failed\n.*capstan retry op-7/);
});

test('a refusal ends with 2, names the running operation, and places carry the name of the file', async (t) => {
  const running = problem('OperationRunning', 'operation_running', 'op-3 is running on postgres/main');
  const busy = await fakeServer(t, { startOperation: running });
  const got = await cli(busy.settings, 'apply', '-f', fileWith(t, 'x'), '--yes', '--json');
  assert.equal(got.code, 2);
  assert.match(got.stderr, /op-3 is running/);
  assert.match(JSON.stringify(got.json()), /op-3/);
  const place = { file: 'document', line: 2, column: 3, expected: 'hosts' };
  const broken = await fakeServer(t, {
    startOperation: problem('InvalidDocument', 'unknown_key', 'unknown key "hots"', place),
  });
  const file = fileWith(t, 'x');
  const wrong = await cli(broken.settings, 'apply', '-f', file, '--yes');
  assert.equal(wrong.code, 2);
  assert.equal(wrong.stderr, `${file}:2:3 unknown key "hots" (expected: hosts)\n`);
});

test('a choice that only a person can make ends with 3', async (t) => {
  const choice = problem('PlanRefused', 'needs_choice', 'which host?', { expected: 'lab-1, lab-2' });
  const server = await fakeServer(t, { previewPlan: choice, startOperation: choice });
  assert.equal((await cli(server.settings, 'plan', '-f', fileWith(t, 'x'))).code, 3);
  assert.equal((await cli(server.settings, 'apply', '-f', fileWith(t, 'x'), '--yes')).code, 3);
});

test('plan --json has exactly the documented names, with texts as plain strings', async (t) => {
  const server = await fakeServer(t, { previewPlan: plan });
  const got = await cli(server.settings, 'plan', '-f', fileWith(t, 'x'), '--json');
  assert.equal(got.code, 0);
  assert.deepEqual(got.json(), {
    hash: 'f'.repeat(64),
    stages: [{ id: 'prepare', title: 'Prepare' }],
    nodes: [
      {
        key: 'a',
        kind: 'job',
        stage: 'prepare',
        job: 'p:a',
        target: 'node/lab-1',
        dependsOn: [],
        origin: 'template',
        reason: null,
      },
    ],
    bindings: [
      {
        requirement: 'a/linux.host',
        kind: 'job',
        provider: 'check-host',
        reason: 'nothing else proves it',
        candidates: [{ provider: 'check-host', taken: true, reason: 'gives it' }],
      },
    ],
    gates: [],
    risk: 'medium',
  });
});

test('get resources --json has the documented names; the card says what is real and what is simulated', async (t) => {
  const fact = (attributes: object) => ({
    capability: 'database.postgresql',
    state: 'holds',
    attributes,
    provenance: 'stand_in',
  });
  const row = (attributes: object) => ({
    key: 'postgres/main',
    type: 'postgres',
    environment: { name: 'lab' },
    facts: [fact(attributes)],
  });
  const page = (nodes: unknown[]) => ({
    resources: { nodes, pageInfo: { hasNextPage: false, endCursor: null } },
  });
  const server = await fakeServer(t, page([row({ port: 5432, software: 'PostgreSQL 18.4' })]));
  const got = await cli(server.settings, 'get', 'resources', '--json');
  assert.deepEqual(got.json(), {
    resources: [
      {
        key: 'postgres/main',
        type: 'postgres',
        environment: 'lab',
        facts: [fact({ port: 5432, software: 'PostgreSQL 18.4' })],
      },
    ],
  });
  const card = await cli(server.settings, 'get', 'resources');
  assert.match(card.stdout, /real PostgreSQL 18\.4, simulated host/);
  assert.match(card.stdout, /database\.postgresql +holds +stand-in +port=5432/);
  const unsaid = await fakeServer(t, page([row({ port: 5432 })]));
  const plain = await cli(unsaid.settings, 'get', 'resources');
  assert.match(plain.stdout, /^ {2}simulated host$/m);
  assert.doesNotMatch(plain.stdout, /real/);
});

test('a revealed value is the bare value, and only on purpose', async (t) => {
  const value = 'aB3$é';
  const revealed = { __typename: 'RevealedArtifact', value, base64: Buffer.from(value).toString('base64') };
  const server = await fakeServer(t, { revealArtifact: revealed });
  const args = ['artifact', 'get', 'postgres/main', 'database_password'];
  assert.equal((await cli(server.settings, ...args)).code, 2);
  assert.equal(server.requests.length, 0);
  assert.equal((await cli(server.settings, ...args, '--reveal')).stdout, value);
  assert.equal((await cli(server.settings, ...args, '--reveal', '--json')).json().value, value);
});

test('logs are read by offset until they are whole', async (t) => {
  const whole = 'one\ntwo\n';
  const attempts = { nodes: [{ id: 'att_1', nodeKey: 'a', number: 1, log: { size: whole.length } }] };
  const server = await fakeServer(t, {
    operation: { status: 'succeeded', nodeRuns: [{ key: 'a', attempts }] },
    attemptLog: ({ from }: { from: number }) => ({
      next: Math.min(from + 4, whole.length),
      text: whole.slice(from, from + 4),
      end: from + 4 >= whole.length,
    }),
  });
  const got = await cli(server.settings, 'logs', 'op-1');
  assert.equal(got.stdout, whole);
  assert.match(got.stderr, /== a, attempt 1/);
  const json = await cli(server.settings, 'logs', 'op-1', 'a', '--follow', '--json');
  assert.deepEqual(json.json(), { logs: [{ node: 'a', attempt: 1, text: whole, complete: true }] });
});

test('what does not exist is said and ends with 2', async (t) => {
  const server = await fakeServer(t, {
    operation: null,
    controlOperation: problem('NotFound', 'not_found', 'no operation op-9'),
  });
  assert.equal((await cli(server.settings, 'operation', 'show', 'op-9')).code, 2);
  assert.equal((await cli(server.settings, 'logs', 'op-9')).code, 2);
  assert.equal((await cli(server.settings, 'cancel', 'op-9')).code, 2);
});

test('an operation is named by its bare number too', async (t) => {
  const server = await fakeServer(t, { operation: null });
  await cli(server.settings, 'operation', 'show', '7');
  await cli(server.settings, 'logs', 'op_0190');
  assert.deepEqual(
    server.requests.map((request) => request.variables.ref),
    ['op-7', 'op_0190'],
  );
});

test('a file that cannot be read is named', async (t) => {
  const settings = settingsFor(t);
  const missing = join(folder(t), 'nothing.yaml');
  const got = await cli(settings, 'apply', '-f', missing, '--yes');
  assert.equal(got.code, 2);
  assert.equal(got.stderr, `${missing} there is no such file\n`);
  assert.equal((await cli(settings, 'apply', '-f', folder(t), '--yes')).code, 2);
});

test('[V13] check without files is refused', async (t) => {
  const got = await cli(settingsFor(t), 'check', '--json');
  assert.equal(got.code, 2);
  assert.equal((got.json().problems as { code: string }[])[0]?.code, 'no_documents');
});
