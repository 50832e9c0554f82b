import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validatePlan } from '@capstan/model';
import { explain } from './explain.js';
import {
  appCapability,
  appPack,
  artifact,
  BEFORE,
  check,
  edges,
  fact,
  HOST_PACK,
  hostCapability,
  job,
  on,
  pack,
  planned,
  problemsOf,
  stage,
  stored,
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

const artifacts = [
  artifact('config'),
  artifact('password', { sensitive: true }),
  artifact('report', { of: 'node' }),
  artifact('scratch', { keep: 'operation' }),
];

test('[S17] an artifact comes from a node before, from the store, or is absent where optional', () => {
  const jobs = [
    job('make', { ...first, writes: ['config'] }),
    job('use', { ...first, reads: ['config', 'password', 'scratch?'] }),
  ];
  const packs = [appPack({ artifacts, jobs }), HOST_PACK];
  const plan = planned({
    packs,
    world: {
      artifacts: [
        stored('app/main', 'password', { version: 1 }),
        stored('app/main', 'password', { version: 2, id: 'z' }),
      ],
    },
  });
  assert.deepEqual(
    plan.nodes[1]?.inputs.map((i) => [i.name, i.owner, i.provider, i.sensitive]),
    [
      ['config', 'app/main', 'make', false],
      ['password', 'app/main', 'stored', true],
    ],
  );
  assert.deepEqual(plan.nodes[1]?.dependsOn, ['make']);
  assert.equal(explain(plan, 'use/password')?.provider, 'artifact v2');
  assert.equal(explain(plan, 'use/scratch'), null);
  assert.deepEqual(validatePlan(plan), []);
});

test('[S8] the plan carries how an input is compared, so that a new token is not a new input', () => {
  const token = artifact('token', { identity: 'existence', credential: true, sensitive: true });
  const packs = [
    appPack({ artifacts: [token, artifact('config')], jobs: [job('use', { ...first, reads: ['token', 'config'] })] }),
    HOST_PACK,
  ];
  const world = { artifacts: [stored('app/main', 'token'), stored('app/main', 'config')] };
  assert.deepEqual(
    planned({ packs, world }).nodes[0]?.inputs.map((i) => i.identity),
    ['existence', 'content'],
  );
});

test('[S17] an artifact of an earlier operation, or an expired one, does not resolve', () => {
  const packs = [appPack({ artifacts, jobs: [job('use', { ...first, reads: ['config'] })] }), HOST_PACK];
  for (const record of [
    stored('app/main', 'config', { keep: 'operation' }),
    stored('app/main', 'config', { expiresAt: BEFORE }),
  ]) {
    assert.deepEqual(
      problemsOf({ packs, world: { artifacts: [record] } }).map((p) => [p.code, p.text.args['requirement']]),
      [['unmet_requirement', 'use/config']],
    );
  }
});

test('[S10] generate: provides what nothing else does, and a stored value is kept', () => {
  const generate = [{ artifact: 'password', generator: { kind: 'password' as const, length: 24 } }];
  const packs = [
    appPack({ artifacts, jobs: [job('use', { ...first, reads: ['password'] })], scenario: { generate } }),
    HOST_PACK,
  ];
  const fresh = planned({ packs });
  assert.deepEqual(
    fresh.nodes[0]?.inputs.map((i) => i.provider),
    ['generated'],
  );
  assert.deepEqual(fresh.generate, [
    { artifact: 'password', owner: 'app/main', generator: { kind: 'password', length: 24 }, sensitive: true },
  ]);
  assert.equal(explain(fresh, 'use/password')?.kind, 'generated');
  assert.deepEqual(validatePlan(fresh), []);
  const again = planned({ packs, world: { artifacts: [stored('app/main', 'password')] } });
  assert.deepEqual([again.nodes[0]?.inputs.map((i) => i.provider), again.generate], [['stored'], []]);
});

test('[S10] what nobody reads but a person is generated for the target all the same', () => {
  const generate = [{ artifact: 'password', generator: { kind: 'token' as const, length: 8 } }];
  assert.deepEqual(
    planned({
      packs: [appPack({ artifacts, jobs: [job('x')], scenario: { generate } }), HOST_PACK],
    }).generate.map((g) => g.owner),
    ['app/main'],
  );
});

test('[S17] a host reads its own artifact, a single consumer that of every host', () => {
  const jobs = [
    job('make', { writes: ['report'] }),
    job('use', { reads: ['report'] }),
    job('sum', { ...first, reads: ['report'] }),
  ];
  const plan = planned({ packs: [appPack({ artifacts, jobs }), HOST_PACK], intent: { hosts: ['a', 'b'] } });
  const inputs = (key: string) =>
    plan.nodes.find((n) => n.key === key)?.inputs.map((i) => [i.owner, i.provider]);
  assert.deepEqual(inputs('use[b]'), [['node/b', 'make[b]']]);
  assert.deepEqual(inputs('sum'), [
    ['node/a', 'make[a]'],
    ['node/b', 'make[b]'],
  ]);
  assert.deepEqual(
    plan.bindings.filter((b) => b.requirement.startsWith('sum/')).map((b) => b.requirement),
    ['sum/report@node/a', 'sum/report@node/b'],
  );
});

test('[S30] a sensitive artifact of another pack needs a permission', () => {
  const vault = pack('vault', {
    needs: { host: '^1' },
    artifacts: [artifact('root_token', { of: 'app', sensitive: true }), artifact('motd', { of: 'app' })],
  });
  const app = (permissions: Record<string, string[]>, reads: string) =>
    appPack({
      needs: { host: '^1', vault: '^1' },
      permissions,
      jobs: [job('x', { ...first, reads: [reads] })],
    });
  const world = { artifacts: [stored('app/main', 'root_token'), stored('app/main', 'motd')] };
  const denied = problemsOf({ packs: [app({}, 'root_token'), vault, HOST_PACK], world });
  assert.deepEqual(
    denied.map((p) => [p.code, p.text.args['artifact'], p.text.args['pack']]),
    [['not_allowed', 'vault:root_token', 'app']],
  );
  for (const name of ['vault:root_token', 'root_token']) {
    assert.equal(
      planned({ packs: [app({ artifacts: [name] }, 'vault:root_token'), vault, HOST_PACK], world }).nodes[0]
        ?.inputs[0]?.name,
      'root_token',
    );
  }
  assert.equal(
    planned({ packs: [app({}, 'motd'), vault, HOST_PACK], world }).nodes[0]?.inputs[0]?.provider,
    'stored',
  );
});

test('[S30] a check of the node may read what the node itself writes', () => {
  const checks = [check('valid', { inputs: [{ name: 'password', optional: false }] })];
  const packs = [
    appPack({
      artifacts,
      checks,
      jobs: [
        job('make', { ...first, writes: ['password'], evidence: ['valid'], proves: { password: ['valid'] } }),
      ],
    }),
    HOST_PACK,
  ];
  const plan = planned({ packs });
  assert.deepEqual(
    plan.nodes[0]?.checks.map((c) => [c.check, c.subject, c.inputs.map((i) => i.provider)]),
    [['app:valid', 'app/main', ['make']]],
  );
  assert.deepEqual(validatePlan(plan), []);
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
