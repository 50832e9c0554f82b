import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explain } from './explain.js';
import {
  appCapability,
  appPack,
  check,
  edges,
  fact,
  HOST_PACK,
  hostCapability,
  job,
  on,
  planned,
  problemsOf,
  stage,
} from './planning.test-support.js';

const capabilities = ['cap.a', 'cap.b', 'cap.c'].map((id) => hostCapability(id));
const first = { at: 'first(web)' };

test('[S21] inside a stage the contract orders, not the listing', () => {
  const packs = [
    appPack({
      capabilities,
      jobs: [
        job('last', { needs: ['cap.b'] }),
        job('middle', { needs: ['cap.a'], gives: ['cap.b'] }),
        job('start', { gives: ['cap.a'] }),
        job('free'),
      ],
    }),
    HOST_PACK,
  ];
  const plan = planned({ packs });
  assert.deepEqual(edges(plan), {
    'start[a]': [],
    'middle[a]': ['start[a]'],
    'last[a]': ['middle[a]'],
    'free[a]': [],
  });
  assert.deepEqual(
    plan.nodes.map((n) => n.key),
    ['start[a]', 'middle[a]', 'last[a]', 'free[a]'],
  );
});

test('[S21] stages without after are ordered by contracts only', () => {
  const packs = [
    appPack({
      capabilities,
      jobs: [job('x', { gives: ['cap.a'] }), job('y', { needs: ['cap.a'] }), job('z')],
      stages: [stage('one', ['y', 'z']), stage('two', ['x'])],
    }),
    HOST_PACK,
  ];
  assert.deepEqual(edges(planned({ packs })), { 'z[a]': [], 'x[a]': [], 'y[a]': ['x[a]'] });
});

test('[L7] a node of the plan wins over a fact, because it proves the same again, and the binding says so', () => {
  const packs = [
    appPack({ capabilities, jobs: [job('x', { gives: ['cap.a'] }), job('y', { needs: ['cap.a'] })] }),
    HOST_PACK,
  ];
  const plan = planned({ packs, world: { facts: [fact('node/a', 'cap.a')] } });
  assert.deepEqual(edges(plan)['y[a]'], ['x[a]']);
  assert.deepEqual(
    explain(plan, 'y[a]/cap.a')?.candidates.map((c) => [c.provider, c.taken, c.reason.code]),
    [
      ['x[a]', true, 'plan.given_by'],
      ['node/a', false, 'plan.proved_again'],
    ],
  );
});

test('[S21] of several givers the nearest before the consumer provides', () => {
  const packs = [
    appPack({
      capabilities,
      jobs: [
        job('install', { gives: ['cap.a'] }),
        job('configure', { needs: ['cap.a'], gives: ['cap.a'] }),
        job('verify', { needs: ['cap.a'] }),
      ],
    }),
    HOST_PACK,
  ];
  const plan = planned({ packs });
  assert.deepEqual(edges(plan), {
    'install[a]': [],
    'configure[a]': ['install[a]'],
    'verify[a]': ['configure[a]'],
  });
  assert.deepEqual(
    explain(plan, 'verify[a]/cap.a')?.candidates.map((c) => [c.provider, c.taken]),
    [
      ['configure[a]', true],
      ['install[a]', false],
    ],
  );
});

test('a cycle of contracts is refused with its path', () => {
  const packs = [
    appPack({
      capabilities,
      jobs: [
        job('x', { needs: ['cap.b'], gives: ['cap.a'] }),
        job('y', { needs: ['cap.a'], gives: ['cap.b'] }),
      ],
    }),
    HOST_PACK,
  ];
  assert.deepEqual(
    problemsOf({ packs }).map((p) => [p.code, p.text.args['path']]),
    [['cycle', 'y[a] → x[a] → y[a]']],
  );
});

test('a cycle of stages and an unknown stage are refused', () => {
  const cyclic = [
    appPack({ jobs: [], stages: [stage('one', [], ['two']), stage('two', [], ['one'])] }),
    HOST_PACK,
  ];
  assert.deepEqual(
    problemsOf({ packs: cyclic }).map((p) => [p.code, p.text.args['path']]),
    [['cycle', 'two → one → two']],
  );
  const lost = [appPack({ jobs: [], stages: [stage('one', [], ['tow']), stage('two', [])] }), HOST_PACK];
  assert.deepEqual(
    problemsOf({ packs: lost }).map((p) => [p.code, p.expected]),
    [['unknown_reference', 'did you mean "two"? One of: one, two']],
  );
  const twice = [appPack({ jobs: [], stages: [stage('one', []), stage('one', [])] }), HOST_PACK];
  assert.deepEqual(
    problemsOf({ packs: twice }).map((p) => p.code),
    ['duplicate_id'],
  );
});

test('[S21] an empty stage hands its barrier on', () => {
  const packs = [
    appPack({
      jobs: [job('x'), job('y')],
      stages: [stage('one', ['x']), stage('two', [], ['one']), stage('three', ['y'], ['two'])],
    }),
    HOST_PACK,
  ];
  assert.deepEqual(edges(planned({ packs }))['y[a]'], ['x[a]']);
});

test('[S14] explicit subjects: all, any and first of a set', () => {
  const jobs = (needs: string) => [job('x', { gives: ['cap.a'] }), job('y', { ...first, needs: [needs] })];
  const plan = (needs: string) =>
    planned({
      packs: [appPack({ capabilities, jobs: jobs(needs) }), HOST_PACK],
      intent: { hosts: ['c', 'a'] },
    });
  assert.deepEqual(edges(plan('cap.a@all(web)'))['y'], ['x[a]', 'x[c]']);
  assert.deepEqual(edges(plan('cap.a@first(web)'))['y'], ['x[c]']);
  assert.deepEqual(edges(plan('cap.a@any(web)'))['y'], ['x[c]']);
  assert.deepEqual(
    plan('cap.a@all(web)').bindings.map((b) => b.requirement),
    ['y/cap.a@node/c', 'y/cap.a@node/a'],
  );
});

test('[S14] a fact of one of any(SET) is enough', () => {
  const packs = [
    appPack({ capabilities, jobs: [job('y', { ...first, needs: ['cap.a@any(web)'] })] }),
    HOST_PACK,
  ];
  const plan = planned({ packs, intent: { hosts: ['a', 'b'] }, world: { facts: [fact('node/b', 'cap.a')] } });
  assert.deepEqual(plan.nodes[0]?.needs, [{ capability: 'cap.a', subject: 'node/b', provider: 'fact' }]);
});

test('[S14] a first(SET) job may give a capability of every host, with a check per host', () => {
  const packs = [
    appPack({ capabilities, jobs: [job('x', { ...first, gives: ['cap.a@all(web)'] })] }),
    HOST_PACK,
  ];
  const node = planned({ packs, intent: { hosts: ['a', 'b'] } }).nodes[0];
  assert.deepEqual(
    node?.proofs.map((p) => p.subject),
    ['node/a', 'node/b'],
  );
  assert.deepEqual(
    node?.checks.map((c) => [c.subject, c.from]),
    [
      ['node/a', 'node/a'],
      ['node/b', 'node/b'],
    ],
  );
});

test('[S14] whose capability is not clear is refused', () => {
  const strange = [
    appPack({
      capabilities: [{ ...appCapability('cap.x'), of: 'other' }],
      jobs: [job('x', { needs: ['cap.x'] })],
    }),
    HOST_PACK,
  ];
  assert.deepEqual(
    problemsOf({ packs: strange }).map((p) => p.text.code),
    ['plan.no_subject'],
  );
  const any = [appPack({ capabilities, jobs: [job('x', { gives: ['cap.a@any(web)'] })] }), HOST_PACK];
  assert.deepEqual(
    problemsOf({ packs: any }).map((p) => p.text.code),
    ['plan.any_output'],
  );
  const claim = [
    appPack({ capabilities, jobs: [job('x', { needs: ['cap.a@binding:s3.claim'] })] }),
    HOST_PACK,
  ];
  assert.deepEqual(
    problemsOf({ packs: claim }).map((p) => p.code),
    ['not_supported'],
  );
});

test('[S2] on is whose fact, from is where it runs', () => {
  const checks = [
    check('joined', {
      on: on('host'),
      from: on('first(masters)'),
      params: { name: { kind: 'cel', source: 'host.name' } },
    }),
  ];
  const packs = [
    appPack({
      capabilities,
      checks,
      jobs: [job('join', { at: 'each(new)', gives: ['cap.a'], evidence: ['joined'] })],
      scenario: { hostSets: [{ name: 'new' }, { name: 'masters' }] },
    }),
    HOST_PACK,
  ];
  const plan = planned({ packs, intent: { hosts: { new: ['b'], masters: ['a', 'c'] } } });
  assert.deepEqual(plan.nodes[0]?.checks, [
    {
      check: 'app:joined',
      subject: 'node/b',
      from: 'node/a',
      params: { name: { kind: 'value', value: 'b' } },
      inputs: [],
    },
  ]);
});

test('[L1] an output that no check proves is refused, evidence that proves nothing by name is still asked', () => {
  const bare = [
    appPack({ capabilities, jobs: [job('x', { gives: ['cap.a'], proves: { 'cap.a': [] } })] }),
    HOST_PACK,
  ];
  assert.deepEqual(
    problemsOf({ packs: bare }).map((p) => p.text.code),
    ['plan.no_proof'],
  );
  const verify = planned({ packs: [appPack({ jobs: [job('verify', { evidence: ['ok'] })] }), HOST_PACK] });
  assert.deepEqual(
    verify.nodes[0]?.checks.map((c) => [c.check, c.subject]),
    [['app:ok', 'node/a']],
  );
});
