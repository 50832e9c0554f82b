import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  appCapability,
  appPack,
  artifact,
  check,
  edges,
  HOST_PACK,
  host,
  hostCapability,
  job,
  NODE,
  pack,
  planned,
  problemsOf,
  scenario,
  stage,
} from './planning.test-support.js';

const hosts = ['c', 'a'];

test('[S14] each(SET) makes one node per host, first(SET) one on the first named, host on the only set acts like each', () => {
  const packs = [
    appPack({ jobs: [job('all'), job('one', { at: 'first(web)' }), job('own', { at: 'host' })] }),
    HOST_PACK,
  ];
  assert.deepEqual(
    planned({ packs, intent: { hosts } }).nodes.map((n) => [n.key, n.target]),
    [
      ['all[a]', 'node/a'],
      ['all[c]', 'node/c'],
      ['one', 'node/c'],
      ['own[a]', 'node/a'],
      ['own[c]', 'node/c'],
    ],
  );
});

test('[S14] target: host of a scenario on a machine is that machine', () => {
  const machine = pack('machine', {
    needs: { host: '^1' },
    scenarios: [scenario([stage('main', ['host:check-host'])], { targetResourceType: 'node', hostSets: [] })],
  });
  const plan = planned({
    packs: [machine, HOST_PACK],
    intent: {
      targetResourceType: NODE.id,
      desiredResult: { name: 'b' },
      hosts: null,
      constraints: { environment: 'lab' },
    },
  });
  assert.deepEqual(
    plan.nodes.map((n) => [n.key, n.target]),
    [['check-host[b]', 'node/b']],
  );
  const gone = {
    targetResourceType: NODE.id,
    desiredResult: { name: 'bb' },
    hosts: null,
    constraints: { environment: 'lab' },
  };
  assert.deepEqual(
    problemsOf({ packs: [machine, HOST_PACK], intent: gone }).map((p) => p.code),
    ['unknown_host'],
  );
});

test('[S22] a job that stands twice gets ~2, per host as well', () => {
  const packs = [
    appPack({ jobs: [job('x')], stages: [stage('one', ['x', 'x']), stage('two', ['x'], ['one'])] }),
    HOST_PACK,
  ];
  assert.deepEqual(
    planned({ packs, intent: { hosts } }).nodes.map((n) => n.key),
    ['x[a]', 'x[c]', 'x~2[a]', 'x~2[c]', 'x~3[a]', 'x~3[c]'],
  );
});

test('[S16] with: values are evaluated per host over the closed set of values', () => {
  const spec = {
    with: {
      name: 'host.name',
      address: 'host.address',
      target: 'target.key',
      env: 'env.name',
      label: 'params.label',
      asked: 'intent.desired_result.label',
      peer: 'sets.web',
    },
    params: {
      properties: {
        name: {},
        address: {},
        target: {},
        env: {},
        label: {},
        asked: {},
        peer: {},
        retries: { default: 3 },
      },
    },
  };
  const packs = [
    appPack({ jobs: [job('x', spec)], scenario: { params: { properties: { label: {} } } } }),
    HOST_PACK,
  ];
  const plan = planned({ packs, intent: { desiredResult: { name: 'main', label: 'blue' } } });
  const values = Object.fromEntries(
    Object.entries(plan.nodes[0]?.params ?? {}).map(([name, v]) => [name, v.kind === 'value' && v.value]),
  );
  assert.deepEqual(values, {
    name: 'a',
    address: '10.0.0.1',
    target: 'app/main',
    env: 'lab',
    label: 'blue',
    asked: 'blue',
    retries: 3,
    peer: [{ name: 'a', address: '10.0.0.1', key: 'node/a' }],
  });
});

test('[S16] a value that fails, or does not fit the job, names job, key and expectation', () => {
  const failing = [appPack({ jobs: [job('x', { with: { port: 'params.none' } })] }), HOST_PACK];
  const [problem] = problemsOf({ packs: failing });
  assert.deepEqual(
    [
      problem?.code,
      problem?.text.args['where'],
      problem?.text.args['parameter'],
      problem?.text.args['error'],
    ],
    ['invalid_parameter', 'x[a] (job app:x)', 'port', 'no such key: none'],
  );
  const misfit = [
    appPack({
      jobs: [
        job('x', {
          with: { port: '"high"' },
          params: { required: ['host'], properties: { port: { type: 'integer' }, host: { type: 'string' } } },
        }),
      ],
    }),
    HOST_PACK,
  ];
  assert.deepEqual(
    problemsOf({ packs: misfit }).map((p) => [p.code, p.text.args['path'], p.expected]),
    [
      ['invalid_parameter', 'x[a] (job app:x): port', 'type integer'],
      ['invalid_parameter', 'x[a] (job app:x): host', 'type string'],
    ],
  );
  const unknown = [
    appPack({ jobs: [job('x', { with: { prot: '1' }, params: { properties: { port: {} } } })] }),
    HOST_PACK,
  ];
  assert.deepEqual(
    problemsOf({ packs: unknown }).map((p) => [p.code, p.expected]),
    [['unknown_parameter', 'did you mean "port"? One of: port']],
  );
});

test('[L10] secrets and artifacts stay references; a plain value for a sensitive parameter is refused', () => {
  const schema = {
    required: ['password', 'key'],
    properties: { password: { type: 'string', sensitive: true }, key: { sensitive: true } },
  };
  const good = job('x', {
    params: schema,
    with: { password: { kind: 'artifact', ref: 'db_password' }, key: { kind: 'secret', ref: 'vault/key' } },
  });
  const artifacts = [artifact('db_password', { sensitive: true })];
  const scenarioSpec = {
    generate: [{ artifact: 'db_password', generator: { kind: 'password' as const, length: 20 } }],
  };
  const plan = planned({ packs: [appPack({ jobs: [good], artifacts, scenario: scenarioSpec }), HOST_PACK] });
  assert.deepEqual(plan.nodes[0]?.params, {
    password: { kind: 'artifact', owner: 'app/main', name: 'db_password' },
    key: { kind: 'secret', ref: 'vault/key' },
  });
  assert.deepEqual(
    plan.nodes[0]?.inputs.map((i) => [i.name, i.provider]),
    [['db_password', 'generated']],
  );
  const plain = job('x', {
    params: schema,
    with: { password: '"hunter2"', key: { kind: 'secret', ref: 'k' } },
  });
  const problems = problemsOf({ packs: [appPack({ jobs: [plain], artifacts }), HOST_PACK] });
  assert.deepEqual(
    problems.map((p) => p.code),
    ['not_supported'],
  );
  assert.ok(!JSON.stringify(problems).includes('hunter2'));
});

test('[S14] a job over several hosts may give things of its own host only', () => {
  const shared = job('x', { gives: ['app.up'], writes: ['report'] });
  const packs = [
    appPack({ jobs: [shared], capabilities: [appCapability('app.up')], artifacts: [artifact('report')] }),
    HOST_PACK,
  ];
  assert.deepEqual(
    problemsOf({ packs, intent: { hosts } }).map((p) => [p.code, p.text.args['thing']]),
    [
      ['ambiguous_subject', 'app.up of app/main'],
      ['ambiguous_subject', 'report of app/main'],
    ],
  );
  assert.equal(planned({ packs, intent: { hosts: ['a'] } }).nodes.length, 1);
});

test('fields that are not executed are refused with the field and where it stands', () => {
  const cases: readonly [Parameters<typeof appPack>[0], string, string][] = [
    [{ jobs: [job('x', { notExecuted: ['when'] })] }, 'when', 'job app:x'],
    [{ jobs: [job('x', { at: 'client_of(binding:k)' })] }, 'target: client_of(binding:k)', 'job app:x'],
    [{ jobs: [job('x', { at: 'first(healthy(web))' })] }, 'target: first(healthy(web))', 'job app:x'],
    [
      {
        jobs: [
          job('x', {
            run: {
              kind: 'reboot',
              as: 'root',
              timeoutMs: 1,
              idempotent: true,
              retry: { limit: 0, backoffMs: 0, on: [] },
            },
          }),
        ],
      },
      'run.reboot',
      'job app:x',
    ],
    [
      {
        jobs: [job('x', { gives: ['app.up@host'] })],
        capabilities: [hostCapability('app.up')],
        checks: [check('ok', { notExecuted: ['from: capstan'] })],
      },
      'from: capstan',
      'check app:ok',
    ],
    [
      { jobs: [job('x')], scenario: { notExecuted: ['membership', 'gates'] } },
      'membership',
      'scenario app.install',
    ],
  ];
  for (const [spec, field, where] of cases) {
    const [problem] = problemsOf({ packs: [appPack(spec), HOST_PACK] });
    assert.deepEqual(
      [problem?.code, problem?.text.args['field'], problem?.text.args['where']],
      ['not_supported', field, where],
    );
  }
});

test('a sandbox host without isolation takes jobs with sandbox: any only, and never means never', () => {
  const packs = (sandbox: 'any' | 'isolated' | 'never') => [
    appPack({ jobs: [job('x', { sandbox })] }),
    HOST_PACK,
  ];
  const bare = { hosts: [host('a', { tier: 'sandbox', isolated: false })] };
  const walled = { hosts: [host('a', { tier: 'sandbox', isolated: true })] };
  assert.equal(planned({ packs: packs('any'), world: bare }).nodes.length, 1);
  assert.deepEqual(
    problemsOf({ packs: packs('isolated'), world: bare }).map((p) => [
      p.code,
      p.text.args['job'],
      p.text.args['host'],
    ]),
    [['not_isolated', 'app:x', 'node/a']],
  );
  assert.equal(planned({ packs: packs('isolated'), world: walled }).nodes.length, 1);
  assert.deepEqual(
    problemsOf({ packs: packs('never'), world: walled }).map((p) => p.code),
    ['not_isolated'],
  );
  assert.equal(planned({ packs: packs('never') }).nodes.length, 1);
});

test('unknown jobs, sets, capabilities, artifacts and checks are named with the nearest', () => {
  const cases: readonly [Parameters<typeof appPack>[0], string, string][] = [
    [
      { jobs: [job('install')], stages: [stage('main', ['instal'])] },
      'plan.unknown_job',
      'did you mean "install"? One of: host:check-host, install',
    ],
    [{ jobs: [job('x', { at: 'each(wb)' })] }, 'plan.unknown_set', 'did you mean "web"? One of: web'],
    [
      { jobs: [job('x', { needs: ['ssh.acces'] })] },
      'plan.unknown_capability',
      'did you mean "ssh.access"? One of: linux.host, ssh.access',
    ],
    [
      { jobs: [job('x', { reads: ['tokn'] })], artifacts: [artifact('token')] },
      'plan.unknown_artifact',
      'did you mean "token"? One of: token',
    ],
    [{ jobs: [job('x', { evidence: ['okay'] })] }, 'plan.unknown_check', 'did you mean "ok"? One of: ok'],
  ];
  for (const [spec, code, expected] of cases) {
    const [problem] = problemsOf({ packs: [appPack(spec), HOST_PACK] });
    assert.deepEqual([problem?.text.code, problem?.expected], [code, expected]);
  }
});

test('[S21] barriers hold between stages and listing order does not', () => {
  const packs = [
    appPack({
      jobs: [job('x'), job('y'), job('z')],
      stages: [stage('late', ['z'], ['early']), stage('early', ['x', 'y'])],
    }),
    HOST_PACK,
  ];
  const plan = planned({ packs });
  assert.deepEqual(edges(plan), { 'x[a]': [], 'y[a]': [], 'z[a]': ['x[a]', 'y[a]'] });
  assert.deepEqual(
    plan.stages.map((s) => s.id),
    ['late', 'early'],
  );
});

test('[S26] the number of nodes is bounded', () => {
  const packs = [appPack({ jobs: [job('x'), job('y')] }), HOST_PACK];
  assert.deepEqual(
    problemsOf({ packs, intent: { hosts }, limits: { nodes: 3 } }).map((p) => p.code),
    ['planning_budget_exceeded'],
  );
});
