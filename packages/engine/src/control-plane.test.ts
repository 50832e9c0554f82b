import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Intent, Outcome } from '@capstan/model';
import { ok } from '@capstan/model';
import { type Authorize, notAllowed } from './authorize.js';
import { ControlPlane } from './control-plane.js';
import type { HostInput } from './host-input.js';
import type { ReadModel } from './ports/read-model.js';
import { memoryEngine, testHost, testPlan } from './testing/memory-engine.js';
import { MemoryRequests } from './testing/memory-requests.js';
import { ScriptedHosts } from './testing/scripted-hosts.js';

const ME = { kind: 'token', id: 'cli' } as const;
const INTENT: Intent = {
  action: 'install',
  targetResourceType: 'thing',
  desiredResult: { name: 'x' },
  constraints: {},
  hosts: ['h1'],
};
const FINGERPRINT = `SHA256:${'a'.repeat(43)}`;
const KEY = '-----BEGIN OPENSSH PRIVATE KEY-----\nx\n-----END OPENSSH PRIVATE KEY-----\n';

async function controlPlane(authorize?: Authorize) {
  const engine = await memoryEngine(
    new ScriptedHosts(
      () => () => 0,
      () => () => ({ code: 0 }),
    ),
  );
  const audited: string[] = [];
  const listed: { id: string; number: string; status: string }[] = [];
  const planned = { hosts: ['node/h1'] };
  const plane = new ControlPlane({
    ...engine.dependencies,
    readModel: { operations: () => Promise.resolve(listed) } as unknown as ReadModel,
    audit: { record: (e) => Promise.resolve(void audited.push(`${e.actor} ${e.action} ${e.object}`)) },
    requests: new MemoryRequests(),
    documents: { parseIntent: (): Outcome<Intent> => ok(INTENT) },
    planning: {
      plan: () =>
        Promise.resolve({
          kind: 'plan',
          plan: testPlan([{ key: 'a', checks: { c: {} } }], { sets: { server: planned.hosts } }),
        }),
    },
    ...(authorize ? { authorize } : {}),
  });
  return { engine, plane, audited, listed, planned };
}

const start = (plane: ControlPlane, idempotencyKey: string, yaml = 'intent: x') =>
  plane.startOperation(ME, { document: { yaml }, idempotencyKey });

test('[S12] one operation per resource at a time: the second is refused and names the first', async () => {
  const { plane } = await controlPlane();
  const first = await start(plane, 'k1');
  assert.ok(first.ok);
  const second = await start(plane, 'k2');
  assert.ok(!second.ok);
  assert.equal(second.problems[0]?.code, 'operation_running');
  assert.equal(second.problems[0]?.text.args['operation'], first.value.number);
});

test('[L6] the same request with the same key is the same operation; another request with it is refused', async () => {
  const { plane } = await controlPlane();
  const first = await start(plane, 'k1');
  assert.deepEqual(await start(plane, 'k1'), first);
  const other = await start(plane, 'k1', 'intent: other');
  assert.equal(other.ok ? '' : other.problems[0]?.code, 'idempotency_conflict');
});

test('[C11] two retries or cancels with one key are one, with another key they are refused by state', async () => {
  const { plane } = await controlPlane();
  const op = await start(plane, 'k1');
  assert.ok(op.ok);
  const first = await plane.cancelOperation(ME, op.value.number, 'c1');
  assert.deepEqual(await plane.cancelOperation(ME, op.value.number, 'c1'), first);
  const again = await plane.cancelOperation(ME, op.value.id, 'c2');
  assert.equal(again.ok ? '' : again.problems[0]?.code, 'illegal_state');
  const missing = await plane.cancelOperation(ME, 'op-999', 'c3');
  assert.equal(missing.ok ? '' : missing.problems[0]?.code, 'not_found');
});

test('[L10] a value is revealed only by this call, and the audit says so first', async () => {
  const { plane, engine, audited } = await controlPlane();
  const ref = await engine.secrets.put('lab', 'thing/x/password', new TextEncoder().encode('hunter22'));
  engine.inventory.artifactRows.push({
    id: 'art_1',
    owner: 'thing/x',
    name: 'password',
    version: 1,
    sensitive: true,
    size: 8,
    contentHash: 'h',
    operationId: null,
    keep: 'resource',
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: null,
    storage: { kind: 'secret', ref },
  });
  const revealed = await plane.revealArtifact(ME, {
    resource: 'thing/x',
    name: 'password',
    idempotencyKey: 'r1',
  });
  assert.equal(revealed.ok ? Buffer.from(revealed.value.value).toString() : '', 'hunter22');
  assert.deepEqual(audited, ['token:cli artifact.reveal thing/x/password']);
  const again = await plane.revealArtifact(ME, {
    resource: 'thing/x',
    name: 'password',
    idempotencyKey: 'r1',
  });
  assert.deepEqual(again, revealed);
  assert.equal(audited.length, 2, 'a repeated reading is a reading');
  const missing = await plane.revealArtifact(ME, { resource: 'thing/x', name: 'nope', idempotencyKey: 'r2' });
  assert.equal(missing.ok ? '' : missing.problems[0]?.code, 'not_found');
});

test('[C39] a host is added with a pinned key only; accepting a changed one is audited with both', async () => {
  const { plane, engine, audited } = await controlPlane();
  const host = {
    name: 'db-1',
    address: '10.0.0.1',
    port: 22,
    user: 'ops',
    privateKey: KEY,
    hostKeyFingerprint: FINGERPRINT,
    environment: 'default',
  };
  const add = (idempotencyKey: string, ...hosts: HostInput[]) =>
    plane.addHosts(ME, { hosts, idempotencyKey });
  const bad = await add(
    'a1',
    { ...host, hostKeyFingerprint: 'md5:aa' },
    { ...host, name: 'UPPER CASE' },
    { ...host, privateKey: 'nope' },
  );
  assert.deepEqual(bad.ok ? [] : bad.problems.map((p) => p.text.code), [
    'host.bad_fingerprint',
    'host.bad_name',
    'host.bad_key',
  ]);
  const added = ok({ added: ['db-1'], existing: [] });
  assert.deepEqual(await add('a2', host), added);
  assert.deepEqual(await add('a2', host), added, 'the same request');
  const other = await add('a2', { ...host, name: 'db-9' });
  assert.equal(other.ok ? '' : other.problems[0]?.code, 'idempotency_conflict');
  assert.deepEqual(await add('a3', host), ok({ added: [], existing: ['db-1'] }));
  const accepted = await plane.acceptHostKey(ME, {
    name: 'node/db-1',
    fingerprint: `SHA256:${'b'.repeat(43)}`,
    idempotencyKey: 'k1',
  });
  assert.deepEqual(accepted, ok({ name: 'db-1', former: FINGERPRINT }));
  assert.equal((await engine.inventory.host('db-1'))?.hostKeyFingerprint, `SHA256:${'b'.repeat(43)}`);
  assert.deepEqual(audited, ['token:cli host.add node/db-1', 'token:cli host.accept_key node/db-1']);
});

test('[S31] a host of your own gets the environment that it names, and never a lab', async () => {
  const { plane, engine } = await controlPlane();
  const host = {
    name: 'db-2',
    address: '10.0.0.2',
    port: 22,
    user: 'ops',
    privateKey: KEY,
    hostKeyFingerprint: FINGERPRINT,
    environment: 'prod',
  };
  const first = await plane.addHosts(ME, { hosts: [host], idempotencyKey: 'a1' });
  assert.deepEqual(first, ok({ added: ['db-2'], existing: [] }));
  const made = (await engine.inventory.environments()).find((one) => one.name === 'prod');
  assert.equal(made?.kind, 'standard');
  const refusals = await plane.addHosts(ME, {
    hosts: [
      { ...host, name: 'db-3', environment: 'lab' },
      { ...host, name: 'db-4', environment: 'No Name' },
    ],
    idempotencyKey: 'a2',
  });
  assert.deepEqual(refusals.ok ? [] : refusals.problems.map((p) => p.text.code), [
    'host.in_lab',
    'host.bad_environment',
  ]);
  assert.equal(await engine.inventory.host('db-3'), null);
});

test('[C34] what the authorisation refuses does not happen', async () => {
  const { plane, engine } = await controlPlane((_actor, verb) =>
    Promise.resolve(notAllowed(ME, verb, ['human:ada'])),
  );
  await engine.inventory.addHost(testHost('h2'), 'lab');
  for (const [name, answer] of await everyUseCase(plane)) {
    assert.ok(!answer.ok, `${name} is allowed`);
    assert.deepEqual(
      [answer.problems[0]?.code, answer.problems[0]?.text.args.whoCan],
      ['not_allowed', 'human:ada'],
      name,
    );
  }
  assert.equal(engine.operations.events.length, 0);
});

test('[S18] a resource that was proved on its hosts is not planned onto others without a word', async () => {
  const { engine, plane, listed, planned } = await controlPlane();
  const op = await start(plane, 'k1');
  assert.ok(op.ok);
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until(
    'success',
    async () => (await engine.operations.load(op.value.id))?.status === 'succeeded',
  );
  await worker.stop();
  listed.push({ ...op.value, status: 'succeeded' });
  assert.ok((await plane.previewPlan(ME, { yaml: '' })).ok, 'the same hosts again');
  planned.hosts = ['node/h2'];
  for (const answer of [await plane.previewPlan(ME, { yaml: '' }), await start(plane, 'k2')]) {
    assert.ok(!answer.ok);
    assert.deepEqual([answer.problems[0]?.code, answer.problems[0]?.text.args.hosts], ['conflict', 'h1']);
  }
});

/** Calls every public method: one that is added and forgets to ask is found here. What they are given matters to none. */
async function everyUseCase(plane: ControlPlane): Promise<[string, Outcome<unknown>][]> {
  const names = new Set<string>();
  for (let at: object = plane; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  const calls = Object.entries(USE_CASES).map(async ([name, call]): Promise<[string, Outcome<unknown>]> => {
    names.delete(name);
    return [name, await call(plane)];
  });
  const internal = new Set(['constructor', 'deps', 'sources', 'authorize', 'permitted', 'view', ...HELPERS]);
  assert.deepEqual(
    [...names].filter((name) => !internal.has(name)),
    [],
    'use cases that this test does not know',
  );
  return Promise.all(calls);
}

const HELPERS = ['plan', 'world', 'command', 'record', 'addHost', 'once'];
const PAGE = { after: null, limit: 1 };
const USE_CASES: Readonly<Record<string, (plane: ControlPlane) => Promise<Outcome<unknown>>>> = {
  previewPlan: (p) => p.previewPlan(ME, { yaml: '' }),
  startOperation: (p) => start(p, 'k'),
  cancelOperation: (p) => p.cancelOperation(ME, 'op-1', 'k'),
  retry: (p) => p.retry(ME, { operation: 'op-1', nodeKey: null, idempotencyKey: 'k' }),
  revealArtifact: (p) => p.revealArtifact(ME, { resource: 'a', name: 'b', idempotencyKey: 'k' }),
  scanHostKey: (p) => p.scanHostKey(ME, { address: 'h2', port: 22 }),
  addHosts: (p) => p.addHosts(ME, { hosts: [], idempotencyKey: 'k' }),
  acceptHostKey: (p) => p.acceptHostKey(ME, { name: 'h2', fingerprint: FINGERPRINT, idempotencyKey: 'k' }),
  usePacks: (p) => p.usePacks(ME, []),
  may: (p) => p.may(ME, 'run', 'operations'),
  operations: (p) => p.operations(ME, { first: 1 }),
  operationsByRef: (p) => p.operationsByRef(ME, ['op-1']),
  operationsOf: (p) => p.operationsOf(ME, [], { before: null, limit: 1 }),
  childrenOf: (p) => p.childrenOf(ME, ['op']),
  runs: (p) => p.runs(ME, [], 'all'),
  plans: (p) => p.plans(ME, ['plan']),
  events: (p) => p.events(ME, ['op'], 0, 1),
  eventGaps: (p) => p.eventGaps(ME, ['op'], 0),
  attempts: (p) => p.attempts(ME, []),
  attemptsById: (p) => p.attemptsById(ME, []),
  evidence: (p) => p.evidence(ME, []),
  evidencePages: (p) => p.evidencePages(ME, [], PAGE),
  evidenceById: (p) => p.evidenceById(ME, []),
  artifactPages: (p) => p.artifactPages(ME, 'owner', [], PAGE),
  artifactsById: (p) => p.artifactsById(ME, []),
  artifactBytes: (p) => p.artifactBytes(ME, [], 1),
  log: (p) => p.log(ME, { operation: 'op', attemptId: 'att', from: 0, limit: 1 }),
  resources: (p) => p.resources(ME),
  facts: (p) => p.facts(ME, []),
  hosts: (p) => p.hosts(ME),
  environments: (p) => p.environments(ME),
  scenarios: (p) => p.scenarios(ME),
  packs: (p) => p.packs(ME),
  feedEpoch: (p) => p.feedEpoch(ME),
};
