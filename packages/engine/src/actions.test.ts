import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NODE_STATUSES, OPERATION_STATUSES, renderText, text } from '@capstan/model';
import { actionsOf, nodeActionsOf } from './actions.js';
import { decideCancel, decideRetry } from './commands.js';
import type { StoredOperation } from './ports/operation-store.js';
import { done, runView } from './run-view.test-support.js';
import { memoryEngine, testPlan } from './testing/memory-engine.js';
import { ScriptedHosts } from './testing/scripted-hosts.js';

const ME = { kind: 'human', id: 'ada' } as const;

test('cancel says what it stops, where, and what will not start', () => {
  const view = runView([
    { key: 'a', is: done() },
    { key: 'b', is: { status: 'running', attemptStatus: 'running' } },
    { key: 'c', is: { status: 'verifying', attemptStatus: 'verifying' } },
    { key: 'd', after: ['b'] },
    { key: 'e', after: ['d'] },
  ]);
  const [cancel, retry] = actionsOf(view, null);
  assert.ok(cancel?.allowed);
  assert.equal(
    renderText(cancel.effect),
    'Stops running steps: 2 (on h1). Will not start: 2. Proven steps stay: 1.',
  );
  assert.match(renderText(cancel.effect, 'ru'), /^Остановит выполняемые шаги: 2 \(на h1\)/);
  assert.deepEqual([retry?.allowed, retry?.why?.code], [false, 'retry.nothing_stopped']);
});

test('retry names the steps and what can go on, and warns of a step that is not safe to repeat', () => {
  const failed = { status: 'failed' as const, attemptStatus: 'failed' as const };
  const view = runView([
    { key: 'a', job: { title: { en: 'Join', ru: 'Присоединить' } }, is: failed },
    { key: 'b', after: ['a'] },
    { key: 'c', after: ['b'] },
    { key: 'd', run: { idempotent: true }, is: failed },
  ]);
  const retry = actionsOf(view, null)[1];
  assert.equal(
    renderText(retry?.effect ?? text('')),
    'Tries again: Join, d (2, on h1). Not marked as safe to run twice: Join. Can go on after that: 2. Proven steps stay: 0.',
  );
  const [one] = nodeActionsOf(view, 'd', null);
  assert.ok(one?.allowed);
  assert.match(
    renderText(one.effect, 'ru'),
    /^Повторит: d \(1, на h1\)\. После этого смогут продолжиться: 0/,
  );
  assert.equal(nodeActionsOf(view, 'b', null)[0]?.why?.code, 'retry.node_not_stopped');
  assert.equal(nodeActionsOf(view, 'zz', null)[0]?.why?.code, 'retry.no_node');
});

test('[V15] nothing is offered on an operation that is over', () => {
  for (const status of ['succeeded', 'failed', 'cancelled', 'succeeded_with_waivers'] as const) {
    const view = runView([{ key: 'a', is: { status: 'failed' } }], { operation: { status } });
    const actions = [...actionsOf(view, null), ...nodeActionsOf(view, 'a', null)];
    assert.deepEqual(
      actions.map((one) => [one.allowed, one.why !== null]),
      actions.map(() => [false, true]),
      status,
    );
  }
});

test('[L11] without the right nothing is offered, and the reason is what is missing', () => {
  const forbidden = text('rights.missing', { actor: 'human:bob', permission: 'run', whoCan: 'human:ada' });
  const view = runView([{ key: 'a', is: { status: 'failed' } }]);
  for (const one of [...actionsOf(view, forbidden), ...nodeActionsOf(view, 'a', forbidden)])
    assert.deepEqual([one.allowed, one.why], [false, forbidden]);
});

test('[S24] what is offered is exactly what the command accepts, in every pair of states', async () => {
  const engine = await memoryEngine(
    new ScriptedHosts(
      () => () => 0,
      () => () => ({ code: 0 }),
    ),
  );
  const id = await engine.start(testPlan([{ key: 'a' }]));
  const stored = await engine.operations.load(id);
  const [node] = stored?.nodes ?? [];
  assert.ok(stored && node);
  for (const status of OPERATION_STATUSES) {
    for (const nodeStatus of NODE_STATUSES) {
      // States that no history leads to are refused or accepted alike, or the command throws.
      const now: StoredOperation = { ...stored, status, nodes: [{ ...node, status: nodeStatus }] };
      const view = runView([{ key: 'a', is: { status: nodeStatus } }], { operation: { status } });
      const accepted = [
        tried(() => decideCancel(now, ME).ok),
        tried(() => decideRetry(now, ME, null).ok),
        tried(() => decideRetry(now, ME, 'a').ok),
      ];
      const offered = [...actionsOf(view, null), ...nodeActionsOf(view, 'a', null)].map((one) => one.allowed);
      for (const [index, answer] of accepted.entries())
        if (answer !== null) assert.equal(offered[index], answer, `${status}/${nodeStatus} ${index}`);
    }
  }
});

/** Null: that pair of states is none that an operation can be in, which the transition itself says by throwing. */
function tried(decide: () => boolean): boolean | null {
  try {
    return decide();
  } catch {
    return null;
  }
}
