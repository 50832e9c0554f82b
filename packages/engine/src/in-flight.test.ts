import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperationStore } from './ports/operation-store.js';
import { memoryEngine, testPlan } from './testing/memory-engine.js';
import { ScriptedHosts } from './testing/scripted-hosts.js';

test('what ends while a commit is on its way is not done again', async () => {
  const hosts = new ScriptedHosts(
    () => async () => {
      // Jobs of different lengths end in the middle of the commits of others.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 6));
      return 0;
    },
    () => () => ({ code: 0 }),
  );
  const engine = await memoryEngine(hosts);
  const runs = new Map<string, number>();
  const followed = Object.create(hosts, {
    run: {
      value: (...args: Parameters<ScriptedHosts['run']>) => {
        runs.set(args[1].ref.nodeKey, (runs.get(args[1].ref.nodeKey) ?? 0) + 1);
        return hosts.run(...args);
      },
    },
  }) as ScriptedHosts;
  const slow: OperationStore = Object.create(engine.operations, {
    commit: {
      value: async (...args: Parameters<OperationStore['commit']>) => {
        await new Promise((resolve) => setTimeout(resolve, 4));
        return engine.operations.commit(...args);
      },
    },
  }) as OperationStore;
  const worker = engine.worker('w1', { capacity: 20 }, { hosts: followed, store: slow });
  await worker.start();
  const plan = testPlan(Array.from({ length: 120 }, (_, n) => ({ key: `n${n}`, checks: { [`c${n}`]: {} } })));
  const id = await engine.start(plan);
  await engine.until('success', async () => (await engine.operations.load(id))?.status === 'succeeded');
  await worker.stop();
  assert.deepEqual(
    [...runs.values()],
    Array.from({ length: 120 }, () => 1),
  );
});
