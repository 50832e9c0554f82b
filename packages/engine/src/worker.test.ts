import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperationStore } from './ports/operation-store.js';
import type { MemoryEngine } from './testing/memory-engine.js';
import { memoryEngine, testPlan } from './testing/memory-engine.js';
import { ScriptedHosts } from './testing/scripted-hosts.js';

/** Leases that no test outlives: what is forgotten here stays forgotten. */
const PATIENT = { leaseMs: 60_000, heartbeatMs: 50 };

function hosts(): ScriptedHosts {
  return new ScriptedHosts(
    () => () => 0,
    () => () => ({ code: 0 }),
  );
}

test('[S1] an operation taken while a heartbeat is on its way keeps its driver', async () => {
  const engine = await memoryEngine(hosts());
  let asked = 0;
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  const worker = engine.worker('w1', PATIENT, {
    store: replaced(engine, {
      async renew(owner, leaseMs) {
        const mine = await engine.operations.renew(owner, leaseMs);
        // The second one has looked before the operation is taken, and answers after it.
        if (++asked === 2) await held;
        return mine;
      },
      async load(ref) {
        await held;
        return engine.operations.load(ref);
      },
    }),
  });
  await worker.start();
  await engine.until('a heartbeat is on its way', () => asked === 2);
  const id = await engine.start(testPlan([{ key: 'a', checks: { c: {} } }]));
  await engine.until('it is taken', () => worker.driving.includes(id));
  answer();
  await engine.until('success', async () => (await engine.operations.load(id))?.status === 'succeeded');
  await worker.stop();
  assert.deepEqual(engine.hosts.ledger, ['a#1']);
});

test('[S1] an operation whose driver threw is taken again although its lease is renewed', async () => {
  const engine = await memoryEngine(hosts());
  let loads = 0;
  const worker = engine.worker('w1', PATIENT, {
    store: replaced(engine, {
      load(ref) {
        loads += 1;
        return loads === 1 ? Promise.reject(new Error('the disk is gone')) : engine.operations.load(ref);
      },
    }),
  });
  await worker.start();
  const id = await engine.start(testPlan([{ key: 'a', checks: { c: {} } }]));
  await engine.until('success', async () => (await engine.operations.load(id))?.status === 'succeeded');
  await worker.stop();
  assert.ok(engine.reported.some((line) => line.includes('the disk is gone')));
  assert.deepEqual(engine.hosts.ledger, ['a#1']);
});

function replaced(engine: MemoryEngine, own: Partial<OperationStore>): OperationStore {
  return new Proxy<OperationStore>(engine.operations, {
    get(target, name) {
      const value = Reflect.get(own, name) ?? Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
