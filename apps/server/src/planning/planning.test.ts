import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Intent } from '@capstan/model';
import { Planning, type PlanningInput } from './planning.js';

const intent: Intent = {
  action: 'install',
  targetResourceType: 'nothing',
  desiredResult: {},
  constraints: {},
  hosts: null,
};
const input: PlanningInput = {
  intent,
  catalog: { packs: [] },
  world: {
    now: '2026-01-01T00:00:00.000Z',
    environments: [],
    hosts: [],
    resources: [],
    facts: [],
    artifacts: [],
  },
};
/** A planner that never comes back for actions called `hang`, breaks for `break`, else answers with the action's name. */
const fake = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ id, intent }) => {
      while (intent.action === 'hang') ;
      if (intent.action === 'break') throw new Error('broken');
      parentPort.postMessage({ id, outcome: { kind: 'refused', problems: [{ code: 'unknown_scenario', text: { code: intent.action, args: {} } }] } });
    });`)}`,
);

function codes(outcome: Awaited<ReturnType<Planning['plan']>>): string {
  return outcome.kind === 'refused' ? outcome.problems.map((p) => `${p.code} ${p.text.code}`).join() : 'plan';
}

test('the planner answers from its thread', async () => {
  const planning = new Planning(10_000);
  const outcome = await planning.plan(input);
  await planning.stop();
  assert.equal(outcome.kind, 'refused');
});

test('a planning that hangs is refused at its deadline, and the next one is planned', async () => {
  // The next one has the same deadline, and a thread of its own to start first.
  const planning = new Planning(3_000, fake);
  const hang = planning.plan({ ...input, intent: { ...intent, action: 'hang' } });
  const next = planning.plan({ ...input, intent: { ...intent, action: 'next' } });
  assert.match(codes(await hang), /^planning_timeout/);
  assert.equal(codes(await next), 'unknown_scenario next');
  await planning.stop();
});

test('a planner that breaks fails its own call only', async () => {
  const planning = new Planning(10_000, fake);
  const broken = planning.plan({ ...input, intent: { ...intent, action: 'break' } });
  const next = planning.plan({ ...input, intent: { ...intent, action: 'next' } });
  await assert.rejects(broken, /broken/);
  assert.equal(codes(await next), 'unknown_scenario next');
  await planning.stop();
  await assert.rejects(planning.plan(input), /stopped/);
});
