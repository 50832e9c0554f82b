import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Requirement } from '@capstan/model';
import { explain } from './explain.js';
import {
  appPack,
  BEFORE,
  edges,
  fact,
  HOST_PACK,
  job,
  pack,
  planned,
  problemsOf,
  resource,
  stage,
} from './planning.test-support.js';

const database = pack('database', {
  resourceTypes: [{ id: 'database', pack: 'database', key: 'db', health: [] }],
  capabilities: [
    { id: 'database.sql', pack: 'database', of: 'database', version: 1, versionAttribute: 'version' },
  ],
});
const use = job('use', {
  at: 'first(web)',
  needs: ['database.sql'],
  with: { host: 'bindings.db.attributes.host', name: 'bindings.db.name' },
  params: { properties: { host: {}, name: {} } },
});
const packs = (requirement: Partial<Requirement> = {}) => [
  appPack({
    needs: { host: '^1', database: '^1' },
    jobs: [use],
    scenario: {
      requires: [{ as: 'db', capability: 'database.sql', ...requirement }],
      params: { properties: { size: {} } },
    },
  }),
  database,
  HOST_PACK,
];
const sql = (key: string, version = '15.4', spec = {}) =>
  fact(key, 'database.sql', { attributes: { host: `host-of-${key}`, version }, ...spec });
const one = { resources: [resource('db/one', 'database')], facts: [sql('db/one')] };
const two = {
  resources: [...one.resources, resource('db/two', 'database')],
  facts: [...one.facts, sql('db/two', '16.1')],
};

test('[L7] a requirement is bound to the one existing resource that has it, and its attributes are values', () => {
  const plan = planned({ packs: packs(), world: one });
  const binding = explain(plan, 'db');
  assert.deepEqual(
    [binding?.kind, binding?.provider, binding?.candidates.map((c) => [c.provider, c.taken])],
    ['resource', 'db/one', [['db/one', true]]],
  );
  assert.deepEqual(plan.nodes[0]?.params, {
    host: { kind: 'value', value: 'host-of-db/one' },
    name: { kind: 'value', value: 'one' },
  });
  assert.deepEqual(plan.nodes[0]?.needs, [
    { capability: 'database.sql', subject: 'db/one', provider: 'fact' },
  ]);
});

test('[L7] several that fit are a choice with options; a person may answer it', () => {
  assert.deepEqual(
    problemsOf({ packs: packs(), world: two }).map((p) => [p.code, p.text.args['options'], p.expected]),
    [['needs_choice', 'db/one, db/two', 'constraints.providers.db: one of db/one, db/two']],
  );
  const binding = explain(
    planned({ packs: packs(), world: two, intent: { constraints: { providers: { db: 'db/two' } } } }),
    'db',
  );
  assert.deepEqual(
    [
      binding?.provider,
      binding?.origin,
      binding?.candidates.map((c) => [c.provider, c.taken, c.reason.code]),
    ],
    [
      'db/two',
      'person',
      [
        ['db/one', false, 'plan.not_chosen'],
        ['db/two', true, 'plan.fact_holds_until'],
      ],
    ],
  );
});

test('[S19] the range of a requirement is matched against the version attribute, where against the candidate', () => {
  const binding = explain(planned({ packs: packs({ version: '>=16' }), world: two }), 'db');
  assert.deepEqual(
    binding?.candidates.map((c) => [c.provider, c.taken, c.reason.code]),
    [
      ['db/one', false, 'plan.wrong_version'],
      ['db/two', true, 'plan.fact_holds_until'],
    ],
  );
  assert.equal(
    explain(planned({ packs: packs({ where: 'attributes.version == "15.4"' }), world: two }), 'db')?.provider,
    'db/one',
  );
  const failing = problemsOf({ packs: packs({ where: 'attributes.none == 1' }), world: one });
  assert.ok(String(failing[0]?.text.args['tried']).includes('db/one: "attributes.none == 1" has no value'));
});

test('[S29] what is elsewhere, stale or absent is refused with each candidate and why', () => {
  const world = {
    resources: [
      resource('db/far', 'database', 'default'),
      resource('db/old', 'database'),
      resource('db/new', 'database'),
    ],
    facts: [sql('db/far'), sql('db/old', '15', { freshUntil: BEFORE })],
  };
  const [problem] = problemsOf({ packs: packs(), world });
  assert.equal(problem?.code, 'unmet_requirement');
  const tried = String(problem?.text.args['tried']);
  for (const part of [
    'db/far: it is in environment default',
    'db/old: the proof of database.sql of db/old was good until',
    'db/new: database.sql of db/new was never proved',
  ])
    assert.ok(tried.includes(part), `${part} in ${tried}`);
  assert.ok(problem?.expected?.includes('creating one on the way is not done by this version'));
  assert.equal(problemsOf({ packs: packs() })[0]?.text.args['tried'], 'none');
});

test('[L7] what requirements cannot do yet is refused by field', () => {
  const fields = problemsOf({
    packs: packs({ sameAs: 'x', claim: true, claimParams: { name: '1' } }),
    world: one,
  }).map((p) => [p.code, p.text.args['field']]);
  assert.deepEqual(fields, [
    ['not_supported', 'same_as'],
    ['not_supported', 'claim'],
    ['not_supported', 'claim_params'],
  ]);
  assert.equal(explain(planned({ packs: packs({ claim: false }), world: one }), 'db')?.provider, 'db/one');
});

test("[S14] on: target asks the operation's own resource", () => {
  const own = [
    appPack({
      capabilities: [{ id: 'app.up', pack: 'app', of: 'app', version: 1 }],
      jobs: [job('x')],
      scenario: { requires: [{ as: 'self', capability: 'app.up', on: { kind: 'target' } }] },
    }),
    HOST_PACK,
  ];
  const world = {
    resources: [resource('app/main', 'app'), resource('app/other', 'app')],
    facts: [fact('app/main', 'app.up'), fact('app/other', 'app.up')],
  };
  assert.equal(explain(planned({ packs: own, world }), 'self')?.provider, 'app/main');
});

test('[S4] a bound resource that the plan disturbs is proved again', () => {
  const disturbing = [
    appPack({
      needs: { host: '^1', database: '^1' },
      jobs: [
        job('tune', { at: 'first(web)', disturbs: ['database.sql@binding:db'] }),
        job('end', { at: 'first(web)' }),
      ],
      stages: [stage('one', ['tune']), stage('two', ['end'], ['one'])],
      scenario: { requires: [{ as: 'db', capability: 'database.sql' }] },
    }),
    {
      ...database,
      jobs: [{ ...job('probe', { at: 'host', onDemand: true, gives: ['database.sql'] }), pack: 'database' }],
      checks: HOST_PACK.checks.map((check) => ({ ...check, pack: 'database' })),
    },
    HOST_PACK,
  ];
  assert.deepEqual(edges(planned({ packs: disturbing, world: one })), {
    tune: [],
    'reprove-database.sql[one]': ['tune'],
    end: ['reprove-database.sql[one]'],
  });
});
