import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reason } from '@capstan/model';
import { REASON_CODES, renderText } from '@capstan/model';
import { blockersOf } from './blockers.js';
import { ago, done, NOW, runView } from './run-view.test-support.js';

const why = (code: Reason['code'], args: Reason['args'] = {}): Reason => ({ code, args });

test('[L11] a step that stopped says what, who and since when, in both languages', () => {
  const [blocker, ...rest] = blockersOf(
    runView([
      {
        key: 'a',
        job: { title: { en: 'Install it', ru: 'Установить' } },
        is: {
          status: 'failed',
          reason: why('exit_code', { exitCode: 7 }),
          since: ago(30),
          attemptId: 'att_1',
        },
      },
      { key: 'b', after: ['a'] },
    ]),
    NOW,
  );
  assert.ok(blocker);
  assert.deepEqual(rest, []);
  assert.deepEqual(
    [blocker.kind, blocker.who, blocker.since, blocker.link, blocker.nodeKeys],
    ['step_stopped', ['permission:run'], ago(30), 'att_1', ['a']],
  );
  assert.equal(renderText(blocker.what), '“Install it” stopped on h1: ended with exit code 7');
  assert.equal(renderText(blocker.what, 'ru'), 'Шаг «Установить» остановился на h1: завершилось с кодом 7');
});

test('[L11] many steps that wait for one host are one blocker, as old as the first', () => {
  const nodes = Array.from({ length: 30 }, (_, i) => ({
    key: `n${i}`,
    is: { status: 'ready' as const, reason: why('unreachable', { detail: 'no route' }), since: ago(i + 1) },
  }));
  const blockers = blockersOf(runView(nodes), NOW);
  assert.equal(blockers.length, 1);
  assert.deepEqual([blockers[0]?.kind, blockers[0]?.who, blockers[0]?.since], ['host', ['capstan'], ago(30)]);
  assert.equal(blockers[0]?.nodeKeys.length, 20);
  assert.match(renderText(blockers[0]?.what ?? { code: '', args: {} }), /^30 steps wait for h1, .*no route$/);
});

test('[L11] what needs a person comes first, then the oldest', () => {
  const kinds = blockersOf(
    runView([
      { key: 'a', is: { status: 'ready', reason: why('capacity'), since: ago(900) } },
      { key: 'b', is: { status: 'ready', reason: why('unreachable', { overdue: 'yes' }), since: ago(60) } },
      { key: 'c', is: { status: 'ready', reason: why('host_key_changed'), since: ago(30) } },
      { key: 'd', is: { status: 'ready', reason: why('exit_code', { exitCode: 75 }), since: ago(10) } },
    ]),
    NOW,
  ).map((one) => [one.kind, one.who.join()]);
  assert.deepEqual(kinds, [
    ['host', 'permission:manage_hosts'],
    ['host_key', 'permission:manage_hosts'],
    ['capacity', 'capstan'],
    ['retry', 'capstan'],
  ]);
});

test('[L11] a failed last proof and an operation that nobody takes block as a whole', () => {
  const proof = { status: 'needs_attention', reason: why('provides_unproven', { observed: 'no' }) } as const;
  const [whole] = blockersOf(runView([{ key: 'a', is: done() }], { operation: proof }), NOW);
  assert.deepEqual([whole?.kind, whole?.since], ['final_proof', ago(1)]);
  const planned = (seconds: number) =>
    blockersOf(runView([{ key: 'a' }], { operation: { status: 'planned', createdAt: ago(seconds) } }), NOW);
  assert.deepEqual(
    planned(6).map((one) => one.kind),
    ['worker'],
  );
  assert.deepEqual(planned(2), []);
});

test('what goes on, what is done and what is over blocks nothing', () => {
  const asked = { key: 'a', is: { status: 'ready' as const, reason: why('retry_requested') } };
  const satisfied = { key: 'b', is: { ...done(), reason: why('already_satisfied') } };
  assert.deepEqual(blockersOf(runView([asked, satisfied, { key: 'c' }]), NOW), []);
  const failed = { key: 'a', is: { status: 'failed' as const } };
  assert.deepEqual(blockersOf(runView([failed], { operation: { status: 'cancelled' } }), NOW), []);
});

test('[L11] every reason has words within a blocker, and none of them shows a code', () => {
  for (const code of REASON_CODES) {
    const [blocker] = blockersOf(runView([{ key: 'a', is: { status: 'failed', reason: why(code) } }]), NOW);
    for (const locale of ['en', 'ru'] as const)
      assert.doesNotMatch(renderText(blocker?.what ?? { code: '', args: {} }, locale), /_|[{}]/, code);
  }
});
