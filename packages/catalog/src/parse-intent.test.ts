import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Intent, JsonValue, Problem } from '@capstan/model';
import { text as words } from '@capstan/model';
import { parseIntent, readIntent } from './parse-intent.js';

function intent(input: string | Record<string, JsonValue>): Intent {
  const outcome = parseIntent(input, 'intent.yaml');
  assert.ok(outcome.ok, outcome.ok ? '' : JSON.stringify(outcome.problems));
  return outcome.value;
}

function told(input: string | Record<string, JsonValue>): string[] {
  const outcome = parseIntent(input, 'intent.yaml');
  assert.ok(!outcome.ok, 'it was accepted');
  return outcome.problems.map(
    ({ code, place, expected }) => `${code} ${place?.line}:${place?.column} | ${expected}`,
  );
}

test('[S36] keys beside the fixed ones are parameters, as if they stood in desired_result', () => {
  const file = new URL('../fixtures/mission/intent-add-node.yaml', import.meta.url);
  assert.deepEqual(intent(readFileSync(file, 'utf8')), {
    action: 'add_node',
    targetResource: 'cluster/prod-k8s',
    desiredResult: { node: 'worker-6', role: 'worker' },
    constraints: {},
    hosts: null,
  });
});

test('[S36] `hosts:` is a list or a map by set, and node/lab-1 is lab-1', () => {
  const base = { action: 'install', target_resource_type: 'postgres', desired_result: { name: 'main' } };
  assert.deepEqual(intent({ intent: { ...base, hosts: ['node/lab-1', 'lab-2'] } }).hosts, ['lab-1', 'lab-2']);
  assert.deepEqual(
    intent({ intent: { ...base, hosts: { masters: ['node/a'], workers: ['b', 'node/c'] } } }).hosts,
    { masters: ['a'], workers: ['b', 'c'] },
  );
  assert.deepEqual(told('intent:\n  action: a\n  target_resource_type: b\n  hosts: [node/x, x]\n'), [
    'duplicate_id 4:19 | each host once',
  ]);
  assert.deepEqual(told('intent: {action: a, target_resource_type: b, hosts: node/x}'), [
    'wrong_type 1:53 | a list of hosts, or a map from host set to hosts',
  ]);
});

test('[S36] a parameter that is given twice must be the same, and a slip of a fixed key is no parameter', () => {
  const twice = 'intent:\n  action: a\n  target_resource_type: b\n  port: 1\n  desired_result: {port: 2}\n';
  assert.deepEqual(told(twice), ['duplicate_key 4:3 | port once: beside action, or in desired_result']);
  assert.deepEqual(intent(twice.replace('port: 2', 'port: 1')).desiredResult, { port: 1 });
  assert.deepEqual(told('intent: {action: a, target_resource_type: b, constriants: {environment: prod}}'), [
    'unknown_key 1:46 | did you mean constraints? A parameter of this name goes into desired_result',
  ]);
  assert.deepEqual(intent('intent: {action: a, target_resource_type: b, host: x, role: y}').desiredResult, {
    host: 'x',
    role: 'y',
  });
});

test('what is no intent is refused with what it is', () => {
  assert.deepEqual(told('job: {id: a}'), ['unknown_document 1:1 | an intent']);
  assert.deepEqual(
    told('intent: {action: a, target_resource_type: b}\n---\nintent: {action: a, target_resource_type: b}\n'),
    ['unknown_document 3:1 | one intent'],
  );
  assert.deepEqual(told('intent: {action: a}'), [
    'missing_key 1:1 | target_resource: the key of a resource, or target_resource_type',
  ]);
  assert.deepEqual(told(''), ['no_documents 1:1 | a YAML document']);
  assert.deepEqual(told({ intent: null }), ['missing_value 2:3 | a value or leave the key out']);
  assert.equal(
    told({ intent: { action: 'a', target_resource_type: 'b', x: 'a\0b' } })[0],
    'nul_in_parameter 5:10 | a text without NUL',
  );
});

const install =
  'intent:\n  action: install\n  target_resource_type: postgres\n  desired_result:\n    name: My-App\n    clients: 0192117\n  zone: {a: [1, x]}\n';

function located(problem: Problem): string {
  const read = readIntent(install, 'intent.yaml');
  assert.ok(read.ok);
  const [found] = read.value.locate([problem]);
  return `${found?.place?.line}:${found?.place?.column} | ${found?.expected}`;
}

test('[V11] a parameter that a scenario refuses is shown at its place in the intent', () => {
  const refused = (code: Problem['code'], path: string, expected: string): Problem => ({
    code,
    text: words('plan.invalid_parameter', { path, found: '' }),
    expected,
  });
  assert.equal(
    located(refused('invalid_parameter', 'name', 'text that matches ^[a-z_]+$')),
    '5:11 | text that matches ^[a-z_]+$',
  );
  assert.equal(
    located(refused('unknown_parameter', 'zone', 'did you mean zones?')),
    '7:3 | did you mean zones?',
  );
  assert.equal(located(refused('invalid_parameter', 'zone.a[1]', 'type integer')), '7:17 | type integer');
  assert.equal(located(refused('invalid_parameter', 'port', 'type integer')), '4:3 | type integer');
});

test('what a planner refuses that is no parameter is shown where its value stands, or at the nearest key', () => {
  const text = `intent:
  action: dance
  target_resource_type: ballroom
  constraints:
    environment: moon
  hosts:
    server: [a, b]
`;
  const read = readIntent(text, 'intent.yaml');
  assert.ok(read.ok);
  const place = (code: string, args: Record<string, string> = {}): string => {
    const [found] = read.value.locate([{ code: 'conflict', text: words(code, args) }]);
    return `${found?.place?.line}:${found?.place?.column}`;
  };
  assert.equal(place('plan.unknown_action', { action: 'dance' }), '2:11');
  assert.equal(place('plan.unknown_type', { type: 'ballroom' }), '3:25');
  assert.equal(place('plan.unknown_environment', { environment: 'moon' }), '5:18');
  assert.equal(place('plan.host_twice', { set: 'server', host: 'a' }), '7:13');
  assert.equal(place('plan.unknown_host_set', { set: 'client' }), '6:3', 'a set that is not there: its list');
  assert.equal(place('plan.unmet', {}), '1:1', 'about the intent as a whole');
});

test('an unquoted number where a parameter is a text is told with what it would become', () => {
  const problem: Problem = {
    code: 'invalid_parameter',
    text: words('plan.invalid_parameter', { path: 'clients', found: '192117' }),
    expected: 'type string',
  };
  assert.equal(located(problem), '6:14 | type string; quote it: "0192117"');
});
