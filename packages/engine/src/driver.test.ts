import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reason } from '@capstan/model';
import type { TestNode } from './testing/memory-engine.js';
import { memoryEngine, testPlan } from './testing/memory-engine.js';
import type { ScriptedProgram } from './testing/scripted-hosts.js';
import { ScriptedHosts } from './testing/scripted-hosts.js';

const pass = () => ({ code: 0 });
const done: ScriptedProgram = () => 0;

async function statuses(
  engine: Awaited<ReturnType<typeof memoryEngine>>,
  id: string,
): Promise<Record<string, string>> {
  const stored = await engine.operations.load(id);
  return Object.fromEntries((stored?.nodes ?? []).map((n) => [n.key, n.status]));
}

async function status(
  engine: Awaited<ReturnType<typeof memoryEngine>>,
  id: string,
): Promise<string | undefined> {
  return (await engine.operations.load(id))?.status;
}

test('[L1] a chain runs in order, each node proved, in one commit per transition', async () => {
  const engine = await memoryEngine(
    new ScriptedHosts(
      () => done,
      () => pass,
    ),
  );
  const nodes: TestNode[] = Array.from({ length: 10 }, (_, i) => ({
    key: `n${i}`,
    after: i === 0 ? [] : [`n${i - 1}`],
    checks: { [`c${i}`]: {} },
  }));
  const id = await engine.start(testPlan(nodes));
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until('success', async () => (await status(engine, id)) === 'succeeded');
  await worker.stop();
  assert.deepEqual(
    engine.hosts.ledger,
    nodes.map((n) => `${n.key}#1`),
  );
  assert.equal(engine.operations.evidence.length, 10);
  // One commit starts the first node, each further one completes k and starts k + 1.
  assert.equal(engine.operations.commits, 11);
  const sequences = engine.operations.events.filter((e) => e.operationId === id).map((e) => e.sequence);
  assert.deepEqual(
    sequences,
    sequences.map((_, i) => i + 1),
    '[L9] the sequence has no gap',
  );
  assert.deepEqual(engine.reported, []);
});

test('[S4] evidence carries the sequence of the recorded end, so it can be judged by order', async () => {
  const engine = await memoryEngine(
    new ScriptedHosts(
      () => done,
      () => pass,
    ),
  );
  const id = await engine.start(testPlan([{ key: 'a', checks: { c: {} } }]));
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until('success', async () => (await status(engine, id)) === 'succeeded');
  await worker.stop();
  const ended = engine.operations.events.find((e) => e.type === 'attempt_ended');
  const closed = engine.operations.events.find((e) => e.type === 'attempt_closed');
  assert.ok(ended && closed && ended.sequence < closed.sequence);
  assert.equal(engine.operations.evidence[0]?.startedAfter, ended.sequence);
});

for (const [code, proved, wanted, why] of [
  [0, true, 'succeeded', undefined],
  [0, false, 'unproven', 'evidence_failed'],
  [1, true, 'unproven', 'proved_but_failed'],
  [1, false, 'failed', 'exit_code'],
] as const) {
  test(`[C22] exit ${code} with ${proved ? 'full' : 'failing'} evidence is ${wanted}; dependants wait unless it succeeded`, async () => {
    const engine = await memoryEngine(
      new ScriptedHosts(
        (key) => (key === 'a' ? () => code : done),
        (id) => () => ({ code: id === 'test:ca' && !proved ? 1 : 0 }),
      ),
    );
    const id = await engine.start(
      testPlan([
        { key: 'a', checks: { ca: {} } },
        { key: 'b', after: ['a'], checks: { cb: {} } },
      ]),
    );
    const worker = engine.worker('w1');
    await worker.start();
    await engine.until('an answer', async () =>
      ['succeeded', 'needs_attention'].includes((await status(engine, id)) ?? ''),
    );
    await worker.stop();
    const stored = await engine.operations.load(id);
    const a = stored?.nodes.find((n) => n.key === 'a');
    assert.equal(a?.status, wanted);
    assert.equal(wanted === 'succeeded' ? undefined : a?.reason?.code, why);
    assert.equal(
      stored?.nodes.find((n) => n.key === 'b')?.status,
      wanted === 'succeeded' ? 'succeeded' : 'pending',
    );
    assert.equal(stored?.status, wanted === 'succeeded' ? 'succeeded' : 'needs_attention');
  });
}

test('[C22] evidence that passes once and then fails is no proof when it must be stable', async () => {
  let asked = 0;
  const engine = await memoryEngine(
    new ScriptedHosts(
      () => done,
      () => () => ({ code: ++asked === 1 ? 0 : 1 }),
    ),
  );
  const id = await engine.start(testPlan([{ key: 'a', checks: { c: { stableForMs: 40, retryForMs: 20 } } }]));
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until('a question', async () => (await status(engine, id)) === 'needs_attention');
  await worker.stop();
  assert.equal((await statuses(engine, id))['a'], 'unproven');
  assert.ok(asked > 2, 'asked again after the first yes');
});

test('[C01] a killed worker: the next one attaches, the log is whole, the effect happened once', async () => {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const hosts = new ScriptedHosts(
    () => async (run) => {
      run.print('first half\n');
      await gate;
      run.print('second half\n');
      return 0;
    },
    () => pass,
  );
  const engine = await memoryEngine(hosts);
  const id = await engine.start(testPlan([{ key: 'a', checks: { c: {} } }]));
  // A killed worker writes nothing any more and its lease runs out: its store and its links are cut off.
  const dead = new Error('killed');
  const control = { killed: false };
  const mortal = new Proxy(engine.operations, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown =>
        control.killed ? Promise.reject(dead) : (value as (...a: unknown[]) => unknown).apply(target, args);
    },
  });
  const first = engine.worker('w1', {}, { store: mortal });
  await first.start();
  await engine.until('the first half is stored', () =>
    [...engine.logs.logs.values()].some((l) => l.length > 0),
  );
  control.killed = true;
  hosts.cutLinks();
  const second = engine.worker('w2');
  await second.start();
  await engine.until('the second worker drives', () => second.driving.includes(id), 6_000);
  release();
  await engine.until('success', async () => (await status(engine, id)) === 'succeeded');
  await second.stop();
  await first.stop();
  assert.deepEqual(hosts.ledger, ['a#1']);
  assert.deepEqual(
    [...engine.logs.logs.values()].map((l) => Buffer.from(l).toString()),
    ['first half\nsecond half\n'],
  );
});

test('[S1] a stalled driver wakes after its lease: none of its late writes changes anything', async () => {
  const engine = await memoryEngine(
    new ScriptedHosts(
      () => done,
      () => pass,
    ),
  );
  const id = await engine.start(testPlan([{ key: 'a', checks: { c: {} } }]));
  let release: () => void = () => undefined;
  const stall = new Promise<void>((resolve) => {
    release = resolve;
  });
  const stalled = new Proxy(engine.operations, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      if (name === 'commit') {
        return async (...args: unknown[]): Promise<unknown> => {
          await stall;
          return (value as (...a: unknown[]) => unknown).apply(target, args);
        };
      }
      if (name === 'renew') return (): Promise<ReadonlySet<string>> => Promise.resolve(new Set([id]));
      return (value as (...a: unknown[]) => unknown).bind(target);
    },
  });
  const first = engine.worker('w1', { leaseMs: 200 }, { store: stalled });
  await first.start();
  await engine.until('the first worker has it', () => first.driving.includes(id));
  const second = engine.worker('w2', { leaseMs: 200, heartbeatMs: 50 });
  await second.start();
  await engine.until('success', async () => (await status(engine, id)) === 'succeeded');
  const before = engine.operations.events.length;
  release();
  await engine.until('the late writer stops', () => !first.driving.includes(id));
  assert.equal(engine.operations.events.length, before);
  assert.ok(engine.operations.refusedWrites.fenced + engine.operations.refusedWrites.stale > 0, 'it did try');
  await Promise.all([first.stop(), second.stop()]);
});

test('[S6] no new attempt while the host cannot say that the former is dead', async () => {
  const hosts = new ScriptedHosts(
    () => (run) => (run.ref.number === 1 ? new Promise<number>(() => undefined) : 0),
    () => () => ({ code: hosts.ledger.length > 1 ? 0 : 1 }),
  );
  const engine = await memoryEngine(hosts);
  const id = await engine.start(
    testPlan([
      {
        key: 'a',
        run: { idempotent: true, retry: { limit: 2, backoffMs: 1, on: ['any'] } },
        checks: { c: {} },
      },
    ]),
  );
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until('it runs', () => hosts.ledger.length === 1);
  hosts.restart();
  await engine.until('success', async () => (await status(engine, id)) === 'succeeded');
  await worker.stop();
  // Dead by the host's word, idempotent, not proved: a second attempt, and only after that word.
  assert.deepEqual(hosts.ledger, ['a#1', 'a#2']);
});

test('[L6] an unknown outcome of a job that is not idempotent goes to a person; proven it is recovered by evidence', async () => {
  for (const proved of [false, true]) {
    const hosts = new ScriptedHosts(
      () => () => new Promise<number>(() => undefined),
      () => () => ({ code: proved ? 0 : 1 }),
    );
    const engine = await memoryEngine(hosts);
    const id = await engine.start(testPlan([{ key: 'a', checks: { c: {} } }]));
    const worker = engine.worker('w1');
    await worker.start();
    await engine.until('it runs', () => hosts.ledger.length === 1);
    hosts.restart();
    await engine.until('an answer', async () =>
      ['succeeded', 'needs_attention'].includes((await status(engine, id)) ?? ''),
    );
    await worker.stop();
    const a = (await engine.operations.load(id))?.nodes[0];
    assert.equal(a?.status, proved ? 'succeeded' : 'unknown');
    assert.equal(a?.reason?.code, proved ? 'recovered_by_evidence' : 'host_restarted');
    assert.deepEqual(hosts.ledger, ['a#1']);
  }
});

test('[S28] only an idempotent job is repeated by itself, up to its limit', async () => {
  for (const idempotent of [true, false]) {
    const hosts = new ScriptedHosts(
      () => () => 1,
      () => () => ({ code: 1 }),
    );
    const engine = await memoryEngine(hosts);
    const id = await engine.start(
      testPlan([
        { key: 'a', run: { idempotent, retry: { limit: 2, backoffMs: 1, on: ['any'] } }, checks: { c: {} } },
      ]),
    );
    const worker = engine.worker('w1');
    await worker.start();
    await engine.until('a question', async () => (await status(engine, id)) === 'needs_attention');
    await worker.stop();
    assert.equal(hosts.ledger.length, idempotent ? 3 : 1);
  }
});

test('[L11] an unreachable host: the node waits, the operation asks after a while and goes on by itself', async () => {
  const hosts = new ScriptedHosts(
    () => done,
    () => pass,
  );
  hosts.trouble.set('h1', reason('unreachable', { detail: 'connection refused' }));
  const engine = await memoryEngine(hosts);
  const id = await engine.start(testPlan([{ key: 'a', checks: { c: {} } }]));
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until(
    'it says so',
    async () => (await engine.operations.load(id))?.nodes[0]?.reason?.code === 'unreachable',
  );
  assert.equal(await status(engine, id), 'running');
  await engine.until('it asks', async () => (await status(engine, id)) === 'needs_attention');
  hosts.trouble.clear();
  await engine.until('success', async () => (await status(engine, id)) === 'succeeded');
  await worker.stop();
  assert.deepEqual(hosts.ledger, ['a#1'], 'no attempt was used up');
  assert.equal(
    engine.operations.events.filter((e) => e.type === 'operation_needs_attention').length,
    1,
    'asked once',
  );
});

test('[C39] a changed host key asks at once and nothing starts; accepted, it goes on', async () => {
  const hosts = new ScriptedHosts(
    () => done,
    () => pass,
  );
  hosts.trouble.set('h1', reason('host_key_changed', { expected: 'SHA256:a', offered: 'SHA256:b' }));
  const engine = await memoryEngine(hosts);
  const id = await engine.start(testPlan([{ key: 'a', checks: { c: {} } }]));
  const worker = engine.worker('w1', { unreachableAfterMs: 60_000 });
  await worker.start();
  await engine.until('it asks', async () => (await status(engine, id)) === 'needs_attention');
  assert.deepEqual(hosts.ledger, []);
  hosts.trouble.clear();
  await engine.until('success', async () => (await status(engine, id)) === 'succeeded');
  await worker.stop();
});

test('[S10] a sensitive output without a pattern is shown only after its value is known, and masked', async () => {
  const hosts = new ScriptedHosts(
    () => async (run) => {
      run.print('token is s3cr3t-value\n');
      run.output('token', 's3cr3t-value');
      await new Promise((resolve) => setTimeout(resolve, 60));
      return 0;
    },
    () => pass,
  );
  const engine = await memoryEngine(hosts);
  const output = {
    name: 'token',
    owner: 'thing/x',
    sensitive: true,
    kind: 'token',
    keep: 'resource',
    ttlMs: null,
    redact: [],
  } as const;
  const id = await engine.start(testPlan([{ key: 'a', outputs: [output], checks: { c: {} } }]));
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until('it runs', () => hosts.ledger.length === 1);
  await engine.dependencies.clock.sleep(30);
  assert.equal(engine.logs.logs.size, 0, 'nothing is stored while it runs');
  await engine.until('success', async () => (await status(engine, id)) === 'succeeded');
  await worker.stop();
  assert.deepEqual(
    [...engine.logs.logs.values()].map((l) => Buffer.from(l).toString()),
    ['token is ************\n'],
  );
  const artifact = (await engine.inventory.artifacts({ owner: 'thing/x' }))[0];
  assert.equal(artifact?.sensitive, true);
  assert.equal(artifact?.storage.kind, 'secret');
});

test('[S4] skip_if_proved: the same input with passing checks runs nothing; another input runs again', async () => {
  const hosts = new ScriptedHosts(
    () => done,
    () => pass,
  );
  const engine = await memoryEngine(hosts);
  const plan = (value: string) =>
    testPlan([
      { key: 'a', job: { skipIfProved: true }, checks: { c: {} }, params: { p: { kind: 'value', value } } },
    ]);
  const worker = engine.worker('w1');
  await worker.start();
  for (const [value, ran, why] of [
    ['1', 1, null],
    ['1', 1, 'already_satisfied'],
    ['2', 2, null],
  ] as const) {
    const id = await engine.start(plan(value));
    await engine.until('success', async () => (await status(engine, id)) === 'succeeded');
    assert.equal(hosts.ledger.length, ran);
    assert.equal((await engine.operations.load(id))?.nodes[0]?.reason?.code ?? null, why);
  }
  await worker.stop();
});

test('[S4] the operation proves what it provides once more at the end; a refusal asks, a retry asks again', async () => {
  let holds = false;
  const hosts = new ScriptedHosts(
    () => done,
    (id) => () => ({ code: id === 'test:final' && !holds ? 1 : 0 }),
  );
  const engine = await memoryEngine(hosts);
  const base = testPlan([{ key: 'a', checks: { c: {}, final: {} } }]);
  const final = { check: 'test:final', subject: 'thing/x', from: 'node/h1', params: {}, inputs: [] };
  const plan = testPlan([{ key: 'a', checks: { c: {} } }], {
    checks: base.checks,
    provides: [
      {
        capability: 'thing.works',
        subject: 'thing/x',
        checks: ['test:final'],
        attributes: {},
        bound: [final],
      },
    ],
  });
  const id = await engine.start(plan);
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until('a question', async () => (await status(engine, id)) === 'needs_attention');
  assert.equal((await engine.operations.load(id))?.reason?.code, 'provides_unproven');
  await engine.until('nobody drives what waits for a person', () => !worker.driving.includes(id));
  holds = true;
  const { decideRetry } = await import('./commands.js');
  const result = await engine.operations.command(id, null, (stored) => {
    const outcome = decideRetry(stored, { kind: 'human', id: 'me' }, null);
    return outcome.ok
      ? { kind: 'change', change: outcome.value }
      : { kind: 'refused', problems: outcome.problems };
  });
  assert.equal(result.kind, 'done');
  await engine.until('success', async () => (await status(engine, id)) === 'succeeded');
  await worker.stop();
  assert.equal(engine.inventory.factRows.get('thing/x|thing.works')?.state, 'holds');
});

test('[S4] what a job disturbs is stale from its start on', async () => {
  const hosts = new ScriptedHosts(
    (key) => (key === 'b' ? () => 1 : done),
    (id) => () => ({ code: id === 'test:cb' ? 1 : 0 }),
  );
  const engine = await memoryEngine(hosts);
  const id = await engine.start(
    testPlan([
      { key: 'a', checks: { ca: {} } },
      { key: 'b', after: ['a'], checks: { cb: {} }, disturbs: [{ capability: 'cap.a', subject: 'node/h1' }] },
    ]),
  );
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until('a question', async () => (await status(engine, id)) === 'needs_attention');
  await worker.stop();
  assert.equal(engine.inventory.factRows.get('node/h1|cap.a')?.state, 'stale');
  assert.equal(engine.inventory.factRows.get('node/h1|cap.b')?.state, 'failed');
});

test('[S31] a fact proved on a stand-in host says so', async () => {
  const engine = await memoryEngine(
    new ScriptedHosts(
      () => done,
      () => () => ({ code: 0, stdout: '{"port": 5432}' }),
    ),
  );
  const id = await engine.start(
    testPlan([{ key: 'a', checks: { c: { observes: { port: 'json.port' }, freshForMs: 60_000 } } }]),
  );
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until('success', async () => (await status(engine, id)) === 'succeeded');
  await worker.stop();
  const fact = engine.inventory.factRows.get('node/h1|cap.a');
  assert.equal(fact?.provenance, 'stand_in');
  assert.deepEqual(fact?.attributes, { port: 5432 });
  assert.ok(fact?.freshUntil);
});

test('[L11] a failure says the last line that the job printed, masked and without control characters', async () => {
  const hosts = new ScriptedHosts(
    () => (run) => {
      run.print('step one\n\u001b[31mno such mirror: hunter22-secret\u001b[0m\n\n');
      return 3;
    },
    () => () => ({ code: 1 }),
  );
  const engine = await memoryEngine(hosts);
  const ref = await engine.secrets.put('lab', 's', new TextEncoder().encode('hunter22-secret'));
  const id = await engine.start(
    testPlan([{ key: 'a', checks: { c: {} }, params: { token: { kind: 'secret', ref } } }]),
  );
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until('a question', async () => (await status(engine, id)) === 'needs_attention');
  await worker.stop();
  const why = (await engine.operations.load(id))?.nodes[0]?.reason;
  assert.deepEqual(why, {
    code: 'exit_code',
    args: { exitCode: 3, said: ': no such mirror: ***************' },
  });
});
