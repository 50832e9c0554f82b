import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  APP,
  appPack,
  HOST_PACK,
  job,
  pack,
  planned,
  problemsOf,
  scenario,
  stage,
} from './planning.test-support.js';

const app = appPack({ jobs: [job('install')] });
const packs = [app, HOST_PACK];
const codes = (given: Parameters<typeof problemsOf>[0]) => problemsOf(given).map((p) => [p.code, p.expected]);

test('[design 4.1] the scenario is chosen by action and target type', () => {
  assert.equal(planned({ packs }).scenario.id, 'app.install');
});

test('an unknown action or type names the nearest and what there is', () => {
  assert.deepEqual(codes({ packs, intent: { action: 'instal' } }), [
    ['unknown_scenario', 'did you mean "install"? One of: install'],
  ]);
  assert.deepEqual(codes({ packs, intent: { targetResourceType: 'apq' } }), [
    ['unknown_scenario', 'did you mean "app"? One of: app, node'],
  ]);
  assert.deepEqual(codes({ packs, intent: { action: 'zzzzzz' } }), [['unknown_scenario', 'one of: install']]);
});

test('a target resource gives type and name by its key', () => {
  const plan = planned({
    packs,
    intent: { targetResourceType: undefined, targetResource: 'app/blue', desiredResult: {} } as never,
  });
  assert.deepEqual(plan.subject, { key: 'app/blue', type: 'app', name: 'blue' });
});

test('a key with an unknown prefix, a missing target and a missing name are refused with what is expected', () => {
  assert.deepEqual(
    codes({ packs, intent: { targetResourceType: undefined, targetResource: 'apps/blue' } as never }),
    [['unknown_resource', 'did you mean "app"? One of: app, node']],
  );
  assert.deepEqual(codes({ packs, intent: { targetResourceType: undefined } as never }), [
    ['missing_value', 'target_resource or target_resource_type'],
  ]);
  assert.deepEqual(codes({ packs, intent: { desiredResult: {} } }), [
    ['missing_value', 'desired_result.name or target_resource'],
  ]);
  assert.deepEqual(codes({ packs, intent: { targetResource: 'app/blue', desiredResult: { name: 'red' } } }), [
    ['invalid_parameter', 'blue'],
  ]);
});

test('a name that could leave its key or its path is refused', () => {
  for (const name of ['', '../x', 'a/b', 'a b', '-x', 'x'.repeat(129), 7, null, 'a\nb']) {
    assert.deepEqual(
      problemsOf({ packs, intent: { desiredResult: { name } } }).map((p) => p.code),
      ['invalid_parameter'],
      String(name),
    );
  }
  assert.deepEqual(
    problemsOf({ packs, intent: { desiredResult: { name: 'a\0b' } } }).map((p) => p.code),
    ['nul_in_parameter'],
  );
  assert.equal(
    planned({ packs, intent: { desiredResult: { name: 'größe-1.x_y' } } }).subject.key,
    'app/größe-1.x_y',
  );
});

test('[S18] several scenarios are a choice with options, and constraints.scenario answers it', () => {
  const other = pack('other', {
    needs: { host: '^1', app: '^1' },
    scenarios: [scenario([stage('main', [])], { id: 'other.install' })],
  });
  const both = [app, other, HOST_PACK];
  const expected = 'constraints.scenario: one of app.install@1.0.0, other.install@1.0.0';
  assert.deepEqual(codes({ packs: both }), [['needs_choice', expected]]);
  assert.equal(
    planned({ packs: both, intent: { constraints: { scenario: 'app.install' } } }).scenario.pack,
    'app',
  );
  assert.deepEqual(
    problemsOf({ packs: both, intent: { constraints: { scenario: 'app.instal' } } }).map((p) => p.code),
    ['unknown_scenario'],
  );
});

test('[S25] a pack that the scenario needs must be there in the wanted version', () => {
  const needy = { ...app, needs: { host: '^2', network: '^1' } };
  assert.deepEqual(
    problemsOf({ packs: [needy, HOST_PACK] }).map((p) => [
      p.code,
      p.text.args['needs'],
      p.text.args['found'],
    ]),
    [
      ['unmet_requirement', 'host', '1.0.0'],
      ['unmet_requirement', 'network', 'none'],
    ],
  );
  assert.equal(APP.key, 'app');
});

test('[S30] a type may be written with its pack in front', () => {
  const qualifiedTypes = appPack({
    capabilities: [{ id: 'app.up', pack: 'app', of: 'app:app', version: 1 }],
    jobs: [job('x', { at: 'first(web)', gives: ['app.up'] })],
    scenario: { targetResourceType: 'app:app' },
  });
  const plan = planned({ packs: [qualifiedTypes, HOST_PACK], intent: { targetResourceType: 'app:app' } });
  assert.deepEqual([plan.subject.type, plan.nodes[0]?.proofs[0]?.subject], ['app', 'app/main']);
});
