import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  appPack,
  HOST_PACK,
  host,
  hostCapability,
  job,
  planned,
  problemsOf,
} from './planning.test-support.js';

const one = [appPack({ jobs: [job('install')] }), HOST_PACK];
const two = [
  appPack({
    jobs: [job('lead', { at: 'first(masters)' }), job('join', { at: 'each(workers)' })],
    scenario: {
      hostSets: [{ name: 'masters', count: 'params.masters' }, { name: 'workers' }],
      params: { properties: { masters: { type: 'integer', default: 1 } } },
    },
  }),
  HOST_PACK,
];

test('[S18] hosts: is a list for the only set, kept in its order', () => {
  assert.deepEqual(planned({ packs: one, intent: { hosts: ['c', 'a'] } }).sets, {
    web: ['node/c', 'node/a'],
  });
  assert.deepEqual(planned({ packs: one, intent: { hosts: ['node/b'] } }).sets, { web: ['node/b'] });
  assert.deepEqual(planned({ packs: one, intent: { hosts: { web: ['b'] } } }).sets, { web: ['node/b'] });
});

test('[S18] hosts: is a map for several sets, and the count is checked', () => {
  assert.deepEqual(
    planned({ packs: two, intent: { hosts: { masters: ['c'], workers: ['a', 'b'] } } }).nodes.map((n) => [
      n.key,
      n.target,
    ]),
    [
      ['lead', 'node/c'],
      ['join[a]', 'node/a'],
      ['join[b]', 'node/b'],
    ],
  );
  assert.deepEqual(
    problemsOf({ packs: two, intent: { hosts: ['a', 'b'] } }).map((p) => [p.code, p.expected]),
    [['invalid_parameter', 'hosts: {masters: […], workers: […]}']],
  );
  assert.deepEqual(
    problemsOf({ packs: two, intent: { hosts: { masters: ['a', 'b'], workers: ['c'] } } }).map((p) => [
      p.text.code,
      p.expected,
    ]),
    [['plan.wrong_host_count', '1 hosts']],
  );
  assert.deepEqual(
    problemsOf({ packs: two, intent: { hosts: { master: ['a'], workers: ['b'] } } }).map((p) => [
      p.text.code,
      p.expected,
    ]),
    [['plan.unknown_host_set', 'did you mean "masters"? One of: masters, workers']],
  );
});

test('[S18] hosts that nobody named are a choice with the hosts of the environment as options, never a guess', () => {
  const world = { hosts: [host('b'), host('a'), host('far', { environment: 'prod' })] };
  const [problem] = problemsOf({
    packs: one,
    world,
    intent: { hosts: null, constraints: { environment: 'lab' } },
  });
  assert.deepEqual([problem?.code, problem?.text.args['options']], ['needs_choice', 'node/a, node/b']);
  assert.deepEqual(
    problemsOf({ packs: one, world, intent: { hosts: [], constraints: { environment: 'lab' } } }).map(
      (p) => p.code,
    ),
    ['needs_choice'],
  );
});

test('[S18] an environment with too few hosts cannot be chosen from', () => {
  assert.deepEqual(
    problemsOf({ packs: one, intent: { hosts: null } }).map((p) => [
      p.code,
      p.text.args['environment'],
      p.text.args['found'],
    ]),
    [['unmet_requirement', 'default', 0]],
  );
});

test('an unknown host names the nearest, a host named twice is refused', () => {
  assert.deepEqual(
    problemsOf({
      packs: one,
      world: { hosts: [host('lab-1'), host('lab-2')] },
      intent: { hosts: ['lab1'] },
    }).map((p) => [p.code, p.expected]),
    [['unknown_host', 'did you mean "lab-1"? One of: lab-1, lab-2']],
  );
  assert.deepEqual(
    problemsOf({ packs: one, intent: { hosts: ['a', 'node/a'] } }).map((p) => p.text.code),
    ['plan.host_twice'],
  );
});

test('[S16] a set may compute its hosts from parameters', () => {
  const computed = [
    appPack({
      jobs: [job('join', { at: 'each(new)' })],
      scenario: {
        hostSets: [{ name: 'new', hosts: '[params.node]' }],
        params: { required: ['node'], properties: { node: { type: 'string', format: 'capstan-host' } } },
      },
    }),
    HOST_PACK,
  ];
  const base = { constraints: { environment: 'lab' }, hosts: null };
  assert.deepEqual(
    planned({ packs: computed, intent: { ...base, desiredResult: { name: 'main', node: 'b' } } }).sets,
    { new: ['node/b'] },
  );
  assert.deepEqual(
    problemsOf({ packs: computed, intent: { ...base, desiredResult: { name: 'main', node: 'bb' } } }).map(
      (p) => p.code,
    ),
    ['unknown_host'],
  );
  assert.deepEqual(
    problemsOf({ packs: computed, intent: { hosts: ['a'], desiredResult: { name: 'main', node: 'b' } } }).map(
      (p) => p.text.code,
    ),
    ['plan.takes_no_hosts'],
  );
});

test('what host sets cannot do yet is refused by field', () => {
  const spread = [
    appPack({
      jobs: [],
      scenario: {
        hostSets: [
          { name: 'web', where: 'true', spread: 'zone' },
          { name: 'old', members: 'masters' },
        ],
      },
    }),
    HOST_PACK,
  ];
  assert.deepEqual(
    problemsOf({ packs: spread }).map((p) => [p.code, p.text.args['field']]),
    [
      ['not_supported', 'host_sets.web.where'],
      ['not_supported', 'host_sets.web.spread'],
      ['not_supported', 'host_sets.old.members'],
    ],
  );
});

test('a count without a value says so', () => {
  const bad = [
    appPack({ jobs: [], scenario: { hostSets: [{ name: 'web', count: 'params.none' }] } }),
    HOST_PACK,
  ];
  assert.deepEqual(
    problemsOf({ packs: bad }).map((p) => [p.text.code, p.text.args['found']]),
    [['plan.invalid_count', 'no such key: none']],
  );
});

test('[S18] an empty set has no first host: the job is refused and not dropped', () => {
  const empty = (at: string, needs: string[] = []) => [
    appPack({
      capabilities: [hostCapability('cap.a')],
      jobs: [job('x', { at, needs }), job('y')],
      scenario: { hostSets: [{ name: 'web' }, { name: 'none', count: '0' }] },
    }),
    HOST_PACK,
  ];
  const hosts = { web: ['a'] };
  assert.deepEqual(
    planned({ packs: empty('each(none)'), intent: { hosts } }).nodes.map((n) => n.key),
    ['y[a]'],
  );
  for (const packs of [empty('first(none)'), empty('each(web)', ['cap.a@first(none)'])]) {
    assert.deepEqual(
      problemsOf({ packs, intent: { hosts } }).map((p) => [p.code, p.text.code]),
      [['unmet_requirement', 'plan.empty_set']],
    );
  }
});
