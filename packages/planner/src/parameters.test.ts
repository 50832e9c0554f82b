import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appPack, HOST_PACK, job, planned, problemsOf } from './planning.test-support.js';

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['port'],
  properties: { port: { type: 'integer', minimum: 1024 }, label: { type: 'string', default: 'x' } },
};
const packs = [appPack({ jobs: [job('install')], scenario: { params: schema } }), HOST_PACK];

test('[S36] parameters are checked against the chosen scenario, defaults filled in', () => {
  assert.deepEqual(planned({ packs, intent: { desiredResult: { name: 'main', port: 5432 } } }).params, {
    port: 5432,
    label: 'x',
  });
});

test('[S36] every wrong parameter is named at once, with what was expected', () => {
  const problems = problemsOf({ packs, intent: { desiredResult: { name: 'main', prt: 1, label: 7 } } });
  assert.deepEqual(
    problems.map((p) => [p.code, p.text.args['path'], p.expected]),
    [
      ['unknown_parameter', 'prt', 'did you mean "port"? One of: label, port'],
      ['invalid_parameter', 'label', 'type string'],
      ['invalid_parameter', 'port', 'type integer'],
    ],
  );
});

test('NUL in a parameter is refused at input, with its place', () => {
  assert.deepEqual(
    problemsOf({ packs, intent: { desiredResult: { name: 'main', port: 5432, label: 'a\0b' } } }).map((p) => [
      p.code,
      p.text.args['path'],
    ]),
    [['nul_in_parameter', 'label']],
  );
});

test('name is the name of the resource, and a parameter only where the schema asks for it', () => {
  const named = [
    appPack({
      jobs: [],
      scenario: {
        hostSets: [],
        params: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', pattern: '^[a-z]+$' } },
        },
      },
    }),
    HOST_PACK,
  ];
  const base = { packs: named, intent: { hosts: null } };
  assert.deepEqual(planned(base).params, { name: 'main' });
  assert.deepEqual(
    planned({ packs: named, intent: { hosts: null, targetResource: 'app/main', desiredResult: {} } }).params,
    { name: 'main' },
  );
  assert.deepEqual(
    problemsOf({ packs: named, intent: { hosts: null, desiredResult: { name: 'UP' } } }).map((p) => p.code),
    ['invalid_parameter'],
  );
});

test('hostile values pass through as values', () => {
  const hostile = [
    '$(touch /tmp/x)',
    '`id`',
    "'; DROP TABLE x; --",
    '\n\r\t',
    '$HOME',
    '-rf',
    '../../etc/passwd',
    '\u2028',
    '\ud83d\ude00',
    '"',
  ];
  for (const label of hostile) {
    const one = [
      appPack({ jobs: [job('install', { with: { label: 'params.label' } })], scenario: { params: schema } }),
      HOST_PACK,
    ];
    const plan = planned({ packs: one, intent: { desiredResult: { name: 'main', port: 5432, label } } });
    assert.deepEqual(plan.nodes[0]?.params['label'], { kind: 'value', value: label });
  }
});
