import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validatePlan } from '@capstan/model';
import { explain } from './explain.js';
import {
  appPack,
  artifact,
  BEFORE,
  check,
  HOST_PACK,
  job,
  pack,
  planned,
  problemsOf,
  stored,
} from './planning.test-support.js';

const first = { at: 'first(web)' };

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
    appPack({
      artifacts: [token, artifact('config')],
      jobs: [job('use', { ...first, reads: ['token', 'config'] })],
    }),
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
