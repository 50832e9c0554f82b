import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evolve, initialState } from '@capstan/model';
import fc from 'fast-check';
import { decideCancel, decideRetry } from './commands.js';
import { DEFAULT_OPTIONS } from './dependencies.js';
import { rebuild } from './rebuild.js';
import type { MemoryEngine, TestNode } from './testing/memory-engine.js';
import { memoryEngine, testPlan } from './testing/memory-engine.js';
import { ScriptedHosts } from './testing/scripted-hosts.js';

const ME = { kind: 'human', id: 'me' } as const;
const pass = () => ({ code: 0 });

test('[S6] after an unconfirmed cancel a retry waits until the host says that the former attempt is dead', async () => {
  let end: (code: number) => void = () => undefined;
  const hosts = new ScriptedHosts(
    () => (run) => (run.ref.number === 1 ? new Promise<number>((resolve) => (end = resolve)) : 0),
    () => pass,
  );
  hosts.stubborn = true;
  const engine = await memoryEngine(hosts);
  const id = await engine.start(testPlan([{ key: 'a', checks: { c: {} } }]));
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until('it runs', () => hosts.ledger.length === 1);
  await command(engine, id, (stored) => decideCancel(stored, ME));
  await engine.until(
    'unconfirmed',
    async () => (await engine.operations.load(id))?.status === 'needs_attention',
  );
  await command(engine, id, (stored) => decideRetry(stored, ME, 'a'));
  await engine.until(
    'it says why it waits',
    async () => (await engine.operations.load(id))?.nodes[0]?.reason?.code === 'predecessor_alive',
  );
  await engine.dependencies.clock.sleep(150);
  assert.deepEqual(hosts.ledger, ['a#1'], 'no second attempt beside the first');
  end(0);
  await engine.until('success', async () => (await engine.operations.load(id))?.status === 'succeeded');
  await worker.stop();
  assert.deepEqual(hosts.ledger, ['a#1', 'a#2']);
});

test('[L6] a link that is cut again and again: one start, the log whole, one end', async () => {
  const hosts = new ScriptedHosts(
    () => async (run) => {
      for (let i = 0; i < 20; i++) {
        run.print(`line ${i}\n`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return 0;
    },
    () => pass,
  );
  const engine = await memoryEngine(hosts);
  const id = await engine.start(testPlan([{ key: 'a', checks: { c: {} } }]));
  const worker = engine.worker('w1');
  await worker.start();
  const cutter = setInterval(() => hosts.cutLinks(), 15);
  await engine.until('success', async () => (await engine.operations.load(id))?.status === 'succeeded');
  clearInterval(cutter);
  await worker.stop();
  assert.deepEqual(hosts.ledger, ['a#1']);
  assert.equal(
    Buffer.from([...engine.logs.logs.values()][0] ?? []).toString(),
    Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join(''),
  );
  assert.ok(
    engine.operations.events.some((e) => e.type === 'attempt_reconnected'),
    'it was cut and came back',
  );
});

test('[S12] a database that fails in the middle of commits loses nothing and doubles nothing', async () => {
  const hosts = new ScriptedHosts(
    () => () => 0,
    () => pass,
  );
  const engine = await memoryEngine(hosts);
  let calls = 0;
  const flaky = new Proxy(engine.operations, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      if (name !== 'commit') return (value as (...a: unknown[]) => unknown).bind(target);
      return async (...args: Parameters<typeof target.commit>) => {
        calls += 1;
        // Every third commit is written and its answer lost, every fourth is lost before it is written.
        if (calls % 4 === 0) throw new Error('connection terminated');
        const result = await target.commit(...args);
        if (calls % 3 === 0) throw new Error('connection terminated after commit');
        return result;
      };
    },
  });
  const nodes: TestNode[] = Array.from({ length: 8 }, (_, i) => ({
    key: `n${i}`,
    after: i < 2 ? [] : [`n${i - 2}`],
    checks: { [`c${i}`]: {} },
  }));
  const id = await engine.start(testPlan(nodes));
  const worker = engine.worker('w1', {}, { store: flaky });
  await worker.start();
  await engine.until(
    'success',
    async () => (await engine.operations.load(id))?.status === 'succeeded',
    10_000,
  );
  await worker.stop();
  assert.deepEqual([...hosts.ledger].sort(), nodes.map((n) => `${n.key}#1`).sort());
  assert.ok(engine.reported.length > 0, 'the trouble was reported');
});

test('[L9] replaying the events of any run gives exactly the stored rows', async () => {
  const outcome = fc.record({
    code: fc.constantFrom(0, 0, 0, 1),
    proved: fc.boolean(),
    idempotent: fc.boolean(),
  });
  const dag = fc.array(fc.tuple(outcome, fc.array(fc.nat({ max: 7 }), { maxLength: 3 })), {
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(dag, fc.nat({ max: 20 }), async (shape, cancelAfter) => {
      const hosts = new ScriptedHosts(
        (key) => () => shape[Number(key.slice(1))]?.[0].code ?? 0,
        (id) => () => ({ code: shape[Number(id.slice('test:c'.length))]?.[0].proved === true ? 0 : 1 }),
      );
      const engine = await memoryEngine(hosts);
      const nodes: TestNode[] = shape.map(([o, deps], i) => ({
        key: `n${i}`,
        after: [...new Set(deps.filter((d) => d < i))].map((d) => `n${d}`),
        checks: { [`c${i}`]: {} },
        run: { idempotent: o.idempotent, retry: { limit: 1, backoffMs: 1, on: ['any'] } },
      }));
      const plan = testPlan(nodes);
      const id = await engine.start(plan);
      const worker = engine.worker('w1');
      await worker.start();
      if (cancelAfter < 6) {
        await engine.dependencies.clock.sleep(cancelAfter);
        await command(engine, id, (stored) => decideCancel(stored, ME));
      }
      await engine.until('an answer', async () =>
        ['succeeded', 'needs_attention', 'cancelled'].includes(
          (await engine.operations.load(id))?.status ?? '',
        ),
      );
      await worker.stop();
      const stored = await engine.operations.load(id);
      assert.ok(stored);
      const replayed = initialState(id, plan.nodes);
      for (const event of engine.operations.events) evolve(replayed, event);
      const rows = rebuild(stored);
      assert.deepEqual(replayed, rows);
      assert.deepEqual(engine.reported, []);
      // L6: one start per attempt, whatever happened.
      assert.equal(new Set(hosts.ledger).size, hosts.ledger.length);
    }),
    { numRuns: 40 },
  );
});

test('[S1] with the default lease a worker that stops hands over at once', async () => {
  let end: (code: number) => void = () => undefined;
  const hosts = new ScriptedHosts(
    () => () => new Promise<number>((resolve) => (end = resolve)),
    () => pass,
  );
  const engine = await memoryEngine(hosts);
  const id = await engine.start(testPlan([{ key: 'a', checks: { c: {} } }]));
  const defaults = { leaseMs: DEFAULT_OPTIONS.leaseMs, heartbeatMs: DEFAULT_OPTIONS.heartbeatMs };
  const first = engine.worker('w1', defaults);
  await first.start();
  await engine.until('it runs', () => hosts.ledger.length === 1);
  await first.stop();
  const second = engine.worker('w2', defaults);
  await second.start();
  await engine.until('the second drives', () => second.driving.includes(id), 2_000);
  end(0);
  await engine.until('success', async () => (await engine.operations.load(id))?.status === 'succeeded');
  await second.stop();
  assert.deepEqual(hosts.ledger, ['a#1']);
});

async function command(
  engine: MemoryEngine,
  id: string,
  decide: (stored: Parameters<typeof decideCancel>[0]) => ReturnType<typeof decideCancel>,
): Promise<void> {
  await engine.operations.command(id, null, (stored) => {
    const outcome = decide(stored);
    return outcome.ok
      ? { kind: 'change', change: outcome.value }
      : { kind: 'refused', problems: outcome.problems };
  });
}

test('[S12] an output made while a command forces the driver to look again reaches its consumer', async () => {
  let finish: (code: number) => void = () => undefined;
  const read: string[] = [];
  const hosts = new ScriptedHosts(
    (key) => (run) => {
      if (key === 'maker') {
        run.output('report', 'whole');
        return new Promise<number>((resolve) => {
          finish = resolve;
        });
      }
      if (key === 'reader')
        read.push(...run.program.inputs.map((i) => `${i.name}=${Buffer.from(i.bytes).toString()}`));
      return key === 'fails' ? 1 : 0;
    },
    (id) => () => ({ code: id === 'test:cf' ? 1 : 0 }),
  );
  const engine = await memoryEngine(hosts);
  const report = {
    name: 'report',
    owner: 'node/h1',
    sensitive: false,
    kind: 'file',
    keep: 'operation',
    ttlMs: null,
    redact: [],
  } as const;
  const input = {
    name: 'report',
    owner: 'node/h1',
    optional: false,
    sensitive: false,
    identity: 'content',
    provider: 'maker',
  } as const;
  const id = await engine.start(
    testPlan([
      { key: 'fails', checks: { cf: {} } },
      { key: 'maker', outputs: [report], checks: { cm: {} } },
      { key: 'reader', after: ['maker'], inputs: [input], checks: { cr: {} } },
    ]),
  );
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until('one failed, one runs', async () => {
    const nodes = (await engine.operations.load(id))?.nodes;
    return nodes?.find((n) => n.key === 'fails')?.status === 'failed' && hosts.ledger.includes('maker#1');
  });
  await command(engine, id, (stored) => decideRetry(stored, ME, 'fails'));
  await engine.until('retried', () => hosts.ledger.includes('fails#2'));
  finish(0);
  await engine.until('the reader ran', () => hosts.ledger.includes('reader#1'));
  await worker.stop();
  assert.deepEqual(read, ['report=whole']);
  assert.deepEqual(engine.reported, []);
});

test('[L6] a host that forgot an attempt which the database knows as started never starts it again', async () => {
  const hosts = new ScriptedHosts(
    () => () => new Promise<number>(() => undefined),
    () => () => ({ code: 1 }),
  );
  const engine = await memoryEngine(hosts);
  const id = await engine.start(testPlan([{ key: 'a', checks: { c: {} } }]));
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until(
    'the start is known',
    async () => (await engine.operations.load(id))?.attempts[0]?.incarnation != null,
  );
  // Somebody wiped the run root, journal and all.
  hosts.journals.clear();
  hosts.cutLinks();
  await engine.until(
    'a question',
    async () => (await engine.operations.load(id))?.status === 'needs_attention',
  );
  await worker.stop();
  assert.equal((await engine.operations.load(id))?.nodes[0]?.reason?.code, 'run_folder_lost');
  assert.deepEqual(hosts.ledger, ['a#1']);
});

test('[C39] a key that changes in the middle of an operation: accepted, the attempt and its checks go on', async () => {
  let end: (code: number) => void = () => undefined;
  const hosts = new ScriptedHosts(
    () => () =>
      new Promise<number>((resolve) => {
        end = resolve;
      }),
    () => pass,
  );
  const engine = await memoryEngine(hosts);
  const right = { fingerprint: 'SHA256:x' };
  const port = new Proxy(hosts, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      if (!['run', 'check', 'probe', 'collect', 'readLog'].includes(String(name)))
        return value.bind(target) as unknown;
      return (...args: [{ hostKeyFingerprint: string | null }, ...unknown[]]): unknown =>
        args[0].hostKeyFingerprint === right.fingerprint
          ? (value as (...a: unknown[]) => unknown).apply(target, args)
          : Promise.resolve({
              kind: 'blocked',
              reason: {
                code: 'host_key_changed',
                args: { expected: String(args[0].hostKeyFingerprint), offered: right.fingerprint },
              },
            });
    },
  });
  const id = await engine.start(testPlan([{ key: 'a', checks: { c: {} } }]));
  const worker = engine.worker('w1', {}, { hosts: port });
  await worker.start();
  await engine.until('it runs', () => hosts.ledger.length === 1);
  right.fingerprint = 'SHA256:new';
  hosts.cutLinks();
  await engine.until('it asks', async () => (await engine.operations.load(id))?.status === 'needs_attention');
  await engine.inventory.updateHost('h1', { hostKeyFingerprint: 'SHA256:new' });
  end(0);
  await engine.until('success', async () => (await engine.operations.load(id))?.status === 'succeeded');
  await worker.stop();
  assert.deepEqual(hosts.ledger, ['a#1']);
});
