import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGINE, EVENT_VERSION, evolve, initialState } from '@capstan/model';
import { progressOf } from './progress.js';
import { ago, done, NOW, runView } from './run-view.test-support.js';
import { allStages } from './stages.js';
import { testPlan } from './testing/memory-engine.js';

const estimate = (p50: number) => ({ estimate: { p50Ms: p50 * 1000, p90Ms: p50 * 2000 } });

test('[UX-S1] the phase at work has its title, and none when the operation is over', () => {
  const nodes = [
    { key: 'a', stage: 'one', is: done() },
    { key: 'b', stage: 'two', after: ['a'] },
  ];
  const plan = {
    stages: [
      { id: 'one', title: 'One' },
      { id: 'two', title: { en: 'Two', ru: 'Второй' } },
    ],
  };
  const progress = progressOf(runView(nodes, { plan }), NOW);
  assert.deepEqual(progress.phase, { en: 'Two', ru: 'Второй' });
  assert.deepEqual([progress.phasesDone, progress.phasesTotal], [1, 2]);
  assert.equal(progressOf(runView(nodes, { plan, operation: { status: 'cancelled' } }), NOW).phase, null);
});

test('[UX-S2] phases count by proof and never fall, whatever fails and is tried again', () => {
  const plan = testPlan([
    { key: 'a', stage: 'one' },
    { key: 'b', stage: 'two', after: ['a'] },
  ]);
  const state = initialState('op', plan.nodes);
  const seen: number[] = [];
  const emit = (body: object): void => {
    const event = { ...body, sequence: state.sequence + 1, v: EVENT_VERSION, actor: ENGINE };
    evolve(state, event as unknown as Parameters<typeof evolve>[1]);
    const view = runView([]);
    seen.push(progressOf({ ...view, plan, stages: allStages(plan, state) }, NOW).phasesDone);
  };
  const attempt = (nodeKey: string, number: number) => ({ nodeKey, attemptId: `${nodeKey}${number}` });
  const begin = { type: 'attempt_starting', host: 'h', runRoot: '/r', fence: '1.1.1', bundleHash: 'h' };
  emit({ type: 'operation_planned' });
  emit({ type: 'operation_started' });
  for (const [key, number, status] of [
    ['a', 1, 'succeeded'],
    ['b', 1, 'failed'],
    ['b', 2, 'succeeded'],
  ] as const) {
    if (number > 1) emit({ type: 'node_retry_requested', nodeKey: key });
    emit({ ...begin, ...attempt(key, number), number });
    emit({ type: 'attempt_ended', ...attempt(key, number), end: { kind: 'exited', code: 0 } });
    emit({ type: 'attempt_closed', ...attempt(key, number), status, reason: null, node: status });
  }
  assert.deepEqual(
    seen,
    [...seen].sort((a, b) => a - b),
  );
  assert.equal(seen.at(-1), 2);
});

test('[UX-S3] remaining time needs history or two finished phases, and a duration for every open step', () => {
  const open = { key: 'c', stage: 'three', job: estimate(60) };
  const first = { key: 'a', stage: 'one', is: done() };
  const second = { key: 'b', stage: 'two', is: done() };
  assert.equal(progressOf(runView([first, open]), NOW).remaining, null, 'one phase is no ground');
  assert.deepEqual(progressOf(runView([first, second, open]), NOW).remaining, {
    lowSeconds: 60,
    highSeconds: 120,
  });
  const history = {
    runs: 1,
    total: { p50Ms: 100_000, p90Ms: 200_000 },
    steps: new Map([['c', { p50Ms: 30_000, p90Ms: 40_000 }]]),
  };
  const fanned = [
    { ...open, key: 'c[h1]' },
    { ...open, key: 'c~2[h2]' },
  ];
  assert.deepEqual(progressOf(runView(fanned, { history }), NOW).remaining, {
    lowSeconds: 30,
    highSeconds: 40,
  });
  const unknown = { key: 'd', stage: 'four' };
  assert.equal(progressOf(runView([open, unknown], { history }), NOW).remaining, null, 'a sum with a hole');
  assert.deepEqual(
    progressOf(runView([first, second, unknown]), NOW).remaining,
    { lowSeconds: 10, highSeconds: 10 },
    'its own pace, where nobody says anything',
  );
});

test('[UX-S3] remaining follows the critical path, is never negative, and is not said while a person is waited for', () => {
  const history = { runs: 2, total: { p50Ms: 1, p90Ms: 1 }, steps: new Map() };
  const nodes = [
    { key: 'long', job: estimate(100) },
    { key: 'short', job: estimate(10) },
    { key: 'last', after: ['long', 'short'], job: estimate(5) },
  ];
  assert.equal(progressOf(runView(nodes, { history }), NOW).remaining?.lowSeconds, 105);
  const running = nodes.map((node) =>
    node.key === 'last' ? node : { ...node, is: { status: 'running' as const, startedAt: ago(3600) } },
  );
  assert.deepEqual(progressOf(runView(running, { history }), NOW).remaining, {
    lowSeconds: 5,
    highSeconds: 10,
  });
  for (const status of ['needs_attention', 'paused', 'cancelling', 'succeeded'] as const)
    assert.equal(progressOf(runView(nodes, { history, operation: { status } }), NOW).remaining, null, status);
});

test('[UX-S3] longer than usual is over nine of ten before it, and over nothing when there were too few', () => {
  const history = (runs: number) => ({ runs, total: { p50Ms: 60_000, p90Ms: 120_000 }, steps: new Map() });
  const longer = (runs: number, started: number) =>
    progressOf(
      runView([{ key: 'a' }], { history: history(runs), operation: { startedAt: ago(started) } }),
      NOW,
    ).longerThanUsual;
  assert.equal(longer(3, 121), true);
  assert.equal(longer(3, 119), false);
  assert.equal(longer(2, 121), false);
  const planned = { plan: { estimate: { p50Ms: 1000, p90Ms: 2000 } } };
  assert.equal(progressOf(runView([{ key: 'a' }], planned), NOW).longerThanUsual, true, "the pack's word");
});

test('steps that wait for a person are counted, and the operation itself when no step does', () => {
  const failed = { status: 'failed' as const, reason: { code: 'exit_code' as const, args: { exitCode: 1 } } };
  const keyed = { status: 'ready' as const, reason: { code: 'host_key_changed' as const, args: {} } };
  const late = {
    status: 'ready' as const,
    reason: { code: 'unreachable' as const, args: { overdue: 'yes' } },
  };
  const patient = { status: 'ready' as const, reason: { code: 'unreachable' as const, args: {} } };
  const nodes = [failed, keyed, late, patient].map((is, i) => ({ key: `n${i}`, is }));
  assert.equal(progressOf(runView(nodes), NOW).needsAttention, 3);
  const whole = { operation: { status: 'needs_attention' as const } };
  assert.equal(progressOf(runView([{ key: 'a', is: done() }], whole), NOW).needsAttention, 1);
  assert.equal(progressOf(runView(nodes, { operation: { status: 'failed' } }), NOW).needsAttention, 0);
});

test('a phase counts as added only when a patch put everything of it there', () => {
  const view = runView([
    { key: 'a', stage: 'one' },
    { key: 'b', stage: 'two' },
    { key: 'c', stage: 'two' },
  ]);
  const patched = (keys: readonly string[]) => ({
    ...view,
    plan: view.plan && {
      ...view.plan,
      nodes: view.plan.nodes.map((node) =>
        keys.includes(node.key) ? { ...node, origin: 'patch' as const } : node,
      ),
    },
  });
  assert.equal(progressOf(patched(['b']), NOW).addedByPatch, 0);
  assert.equal(progressOf(patched(['b', 'c']), NOW).addedByPatch, 1);
});

test('a gate that is still to come says when a person will be asked', () => {
  const history = { runs: 1, total: { p50Ms: 1, p90Ms: 1 }, steps: new Map() };
  const view = runView(
    [
      { key: 'a', job: estimate(60) },
      { key: 'ok', after: ['a'] },
    ],
    { history },
  );
  const gated = {
    ...view,
    plan: view.plan && {
      ...view.plan,
      nodes: view.plan.nodes.map((node) =>
        node.key === 'ok' ? { ...node, kind: 'gate' as const, job: null } : node,
      ),
    },
  };
  assert.equal(progressOf(gated, NOW).nextPersonAt, '2026-01-01T01:01:00.000Z');
  assert.equal(progressOf(view, NOW).nextPersonAt, null);
});
