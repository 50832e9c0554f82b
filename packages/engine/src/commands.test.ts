import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideCancel, decideRetry } from './commands.js';
import type { MemoryEngine } from './testing/memory-engine.js';
import { memoryEngine, testPlan } from './testing/memory-engine.js';
import { ScriptedHosts } from './testing/scripted-hosts.js';

const ME = { kind: 'human', id: 'me' } as const;
const pass = () => ({ code: 0 });

async function cancel(engine: MemoryEngine, id: string): Promise<string> {
  const result = await engine.operations.command(id, null, (stored) => {
    const outcome = decideCancel(stored, ME);
    return outcome.ok
      ? { kind: 'change', change: outcome.value }
      : { kind: 'refused', problems: outcome.problems };
  });
  return result.kind;
}

async function retry(
  engine: MemoryEngine,
  id: string,
  node: string | null,
): Promise<{ kind: string; code?: string | undefined }> {
  const result = await engine.operations.command(id, null, (stored) => {
    const outcome = decideRetry(stored, ME, node);
    return outcome.ok
      ? { kind: 'change', change: outcome.value }
      : { kind: 'refused', problems: outcome.problems };
  });
  return { kind: result.kind, code: result.kind === 'refused' ? result.problems[0]?.text.code : undefined };
}

test('[C10] cancel kills what runs, is confirmed by the host, and only then is the operation cancelled', async () => {
  const hosts = new ScriptedHosts(
    () => (run) => new Promise<number>((resolve) => run.killed.addEventListener('abort', () => resolve(143))),
    () => pass,
  );
  const engine = await memoryEngine(hosts);
  const id = await engine.start(
    testPlan([
      { key: 'a', checks: { c: {} } },
      { key: 'b', after: ['a'] },
    ]),
  );
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until('it runs', () => hosts.ledger.length === 1);
  assert.equal(await cancel(engine, id), 'done');
  await engine.until('cancelled', async () => (await engine.operations.load(id))?.status === 'cancelled');
  await worker.stop();
  const stored = await engine.operations.load(id);
  assert.deepEqual(
    stored?.nodes.map((n) => n.status),
    ['cancelled', 'cancelled'],
  );
  assert.equal(stored?.attempts[0]?.status, 'cancelled');
});

test('[C10] a kill that the host does not confirm is said, and a second cancel asks the host again', async () => {
  const hosts = new ScriptedHosts(
    () => () => new Promise<number>(() => undefined),
    () => pass,
  );
  hosts.stubborn = true;
  const engine = await memoryEngine(hosts);
  const id = await engine.start(testPlan([{ key: 'a', checks: { c: {} } }]));
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until('it runs', () => hosts.ledger.length === 1);
  await cancel(engine, id);
  await engine.until(
    'it is said',
    async () => (await engine.operations.load(id))?.status === 'needs_attention',
  );
  const stored = await engine.operations.load(id);
  assert.equal(stored?.nodes[0]?.status, 'unknown');
  assert.equal(stored?.attempts[0]?.status, 'cancel_unconfirmed');
  hosts.stubborn = false;
  assert.equal(await cancel(engine, id), 'done');
  await engine.until('cancelled', async () => (await engine.operations.load(id))?.status === 'cancelled');
  await worker.stop();
});

test('[V15] cancel before anything started ends it; retry is refused with the way on; a new apply is free', async () => {
  for (let i = 0; i < 10; i++) {
    const hosts = new ScriptedHosts(
      () => () => 0,
      () => pass,
    );
    const engine = await memoryEngine(hosts);
    const id = await engine.start(
      testPlan([
        { key: 'a', checks: { c: {} } },
        { key: 'b', after: ['a'], checks: { d: {} } },
      ]),
    );
    const worker = engine.worker('w1');
    const started = i % 2 === 0 ? worker.start() : Promise.resolve();
    await engine.dependencies.clock.sleep(i);
    const first = await cancel(engine, id);
    await started;
    if (i % 2 === 1) await worker.start();
    await engine.until('an end', async () =>
      ['cancelled', 'succeeded'].includes((await engine.operations.load(id))?.status ?? ''),
    );
    const status = (await engine.operations.load(id))?.status;
    assert.equal(first, status === 'succeeded' ? 'refused' : 'done');
    assert.deepEqual(await retry(engine, id, 'a'), { kind: 'refused', code: 'retry.operation_over' });
    const next = await engine.start(testPlan([{ key: 'a', checks: { c: {} } }]));
    await engine.until(
      'the new one succeeds',
      async () => (await engine.operations.load(next))?.status === 'succeeded',
    );
    await worker.stop();
    assert.deepEqual(engine.reported, []);
  }
});

test('[V16] [L5] retry keeps finished attempts, keys and edges; what hung on the failed node runs once', async () => {
  let repaired = false;
  const hosts = new ScriptedHosts(
    (key) => () => (key === 'c' && !repaired ? 1 : 0),
    (id) => () => ({ code: id === 'test:pc' && !repaired ? 1 : 0 }),
  );
  const engine = await memoryEngine(hosts);
  const id = await engine.start(
    testPlan([
      { key: 'a', checks: { pa: {} } },
      { key: 'b', after: ['a'], checks: { pb: {} } },
      { key: 'c', after: ['a'], checks: { pc: {} } },
      { key: 'd', after: ['b', 'c'], checks: { pd: {} } },
    ]),
  );
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until(
    'a question',
    async () => (await engine.operations.load(id))?.status === 'needs_attention',
  );
  const before = await engine.operations.load(id);
  assert.deepEqual(await retry(engine, id, 'b'), { kind: 'refused', code: 'retry.node_not_stopped' });
  assert.deepEqual(await retry(engine, id, 'nope'), { kind: 'refused', code: 'retry.no_node' });
  repaired = true;
  assert.equal((await retry(engine, id, 'c')).kind, 'done');
  await engine.until('success', async () => (await engine.operations.load(id))?.status === 'succeeded');
  await worker.stop();
  const after = await engine.operations.load(id);
  const attempt = (from: typeof before, key: string): string | null | undefined =>
    from?.nodes.find((n) => n.key === key)?.attemptId;
  for (const key of ['a', 'b']) assert.equal(attempt(after, key), attempt(before, key));
  assert.deepEqual(
    after?.plan.nodes.map((n) => [n.key, n.dependsOn]),
    before?.plan.nodes.map((n) => [n.key, n.dependsOn]),
  );
  assert.deepEqual(
    hosts.ledger.filter((l) => !l.startsWith('c')),
    ['a#1', 'b#1', 'd#1'],
  );
  assert.deepEqual(
    hosts.ledger.filter((l) => l.startsWith('c')),
    ['c#1', 'c#2'],
  );
});

test('[C10] the log of a cancelled attempt holds what it printed to its end, and is complete', async () => {
  const hosts = new ScriptedHosts(
    () => (run) => {
      run.print('working\n');
      return new Promise<number>((resolve) => {
        run.killed.addEventListener('abort', () => {
          run.print('got TERM\n');
          resolve(143);
        });
      });
    },
    () => pass,
  );
  const engine = await memoryEngine(hosts);
  const id = await engine.start(testPlan([{ key: 'a', checks: { c: {} } }]));
  const worker = engine.worker('w1');
  await worker.start();
  await engine.until('it prints', () => [...engine.logs.logs.values()].some((log) => log.length > 0));
  await cancel(engine, id);
  await engine.until('cancelled', async () => (await engine.operations.load(id))?.status === 'cancelled');
  await worker.stop();
  const [attempt] = [...engine.logs.logs.keys()];
  assert.equal(Buffer.from(engine.logs.logs.get(attempt ?? '') ?? []).toString(), 'working\ngot TERM\n');
  assert.ok(engine.logs.completed.has(attempt ?? ''));
});
