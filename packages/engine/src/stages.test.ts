import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rebuild } from './rebuild.js';
import { allStages } from './stages.js';
import { memoryEngine, testPlan } from './testing/memory-engine.js';
import { ScriptedHosts } from './testing/scripted-hosts.js';

test('[L2] [S21] the stage cards are at every commit the projection of the same node rows that the graph shows', async () => {
  const hosts = new ScriptedHosts(
    (key) => () => (key === 'c' ? 1 : 0),
    (id) => () => ({ code: id === 'test:pc' ? 1 : 0 }),
  );
  const engine = await memoryEngine(hosts);
  const plan = testPlan([
    { key: 'a', stage: 'first', checks: { pa: {} } },
    { key: 'b', stage: 'second', after: ['a'], checks: { pb: {} } },
    { key: 'c', stage: 'second', after: ['a'], checks: { pc: {} } },
    { key: 'd', stage: 'third', after: ['c'], checks: { pd: {} } },
  ]);
  const id = await engine.start(plan);
  const shown: string[] = [];
  const { onChange } = engine.operations;
  engine.operations.onChange = (change) => {
    onChange(change);
    for (const stage of change.stages) shown.push(`${stage.id} ${stage.status} ${stage.done}/${stage.total}`);
  };
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until(
    'a question',
    async () => (await engine.operations.load(id))?.status === 'needs_attention',
  );
  await worker.stop();
  const stored = await engine.operations.load(id);
  assert.ok(stored);
  const projected = allStages(plan, rebuild(stored));
  assert.deepEqual(
    plan.stages.map((s) => engine.operations.stages.get(`${id}|${s.id}`)),
    projected,
  );
  assert.deepEqual(
    projected.map((s) => `${s.id} ${s.status} ${s.done}/${s.total}`),
    ['first succeeded 1/1', 'second needs_attention 1/2', 'third pending 0/1'],
  );
  assert.ok(shown.includes('first running 0/1') && shown.includes('second running 0/2'), shown.join('; '));
});
