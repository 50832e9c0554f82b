import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanChange, PlanPatch } from './patch.js';
import { PLAN_CHANGE_KINDS } from './patch.js';
import { anchored, applyPatch, validatePatch } from './patch-apply.js';
import { planNode, planOf } from './plan.test-support.js';

const plan = planOf([
  planNode({ key: 'install[a]' }),
  planNode({ key: 'install[b]' }),
  planNode({ key: 'verify~2' }),
]);

const patchOf = (changes: readonly PlanChange[], baseRevision: number | null = null): PlanPatch => ({
  baseRevision,
  author: null,
  reason: 'because',
  changes,
  approval: null,
});

const CHANGES: { readonly [K in PlanChange['kind']]: Extract<PlanChange, { kind: K }> | PlanChange } = {
  insert_after: { kind: 'insert_after', anchor: 'install', jobs: ['x'] },
  insert_before: { kind: 'insert_before', anchor: 'install', jobs: ['x'] },
  replace: { kind: 'replace', node: 'install[a]', job: 'x' },
  remove: { kind: 'remove', node: 'install[a]' },
  modify: { kind: 'modify', node: 'install[a]', set: {} },
  add_gate: { kind: 'add_gate', anchor: 'install', gate: null },
  connect: { kind: 'connect', from: 'install[a]', to: 'verify~2' },
  disconnect: { kind: 'disconnect', from: 'install[a]', to: 'verify~2' },
  set_output: { kind: 'set_output', artifact: 'x', on: 'web/main', value: 1, evidence: [], author: 'me' },
  rebind: { kind: 'rebind', requirement: 'x', provider: 'y' },
  retry: { kind: 'retry', job: 'install[a]' },
};

test('[L3] every kind of change but retry is refused by its name, none is half done', () => {
  for (const kind of PLAN_CHANGE_KINDS.filter((k) => k !== 'retry')) {
    const outcome = applyPatch(plan, patchOf([CHANGES.retry, CHANGES[kind]]));
    assert.equal(outcome.ok, false);
    assert.deepEqual(!outcome.ok && outcome.problems.map((p) => [p.code, p.text.args['kind']]), [
      ['not_supported', kind],
    ]);
  }
});

test('[S22] retry is a command: the plan stays the same object', () => {
  const outcome = applyPatch(plan, patchOf([{ kind: 'retry', job: 'install' }], 1));
  assert.ok(outcome.ok);
  assert.equal(outcome.value.plan, plan);
  assert.deepEqual(outcome.value.commands, [{ kind: 'retry', nodes: ['install[a]', 'install[b]'] }]);
});

test('[S22] an anchor is an instance key, a template id or a stage', () => {
  assert.deepEqual(anchored(plan, 'install[b]'), ['install[b]']);
  assert.deepEqual(anchored(plan, 'verify'), ['verify~2']);
  assert.deepEqual(anchored(plan, 'main'), ['install[a]', 'install[b]', 'verify~2']);
  assert.deepEqual(
    validatePatch(plan, patchOf([{ kind: 'retry', job: 'nothing' }])).map((p) => p.code),
    ['unknown_reference'],
  );
});

test('[S22] a patch on another revision and an empty patch are refused', () => {
  assert.deepEqual(
    validatePatch(plan, patchOf([CHANGES.retry], 7)).map((p) => p.code),
    ['stale_revision'],
  );
  assert.deepEqual(
    validatePatch(plan, patchOf([])).map((p) => p.code),
    ['missing_value'],
  );
});
