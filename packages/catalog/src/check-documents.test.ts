import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '@capstan/model';
import { renderText } from '@capstan/model';
import { checkDocuments } from './check-documents.js';
import type { DocumentReport } from './document-report.js';

function check(text: string, file = 'f.yaml'): DocumentReport {
  const [report, ...others] = checkDocuments([{ file, text }]);
  assert.equal(others.length, 0);
  assert.ok(report);
  return report;
}

/** `code line:column | expected` of each problem. */
function told(text: string): string[] {
  return checkDocuments([{ file: 'f.yaml', text }]).flatMap(({ problems }) =>
    problems.map(({ code, place, expected }) => `${code} ${place?.line}:${place?.column} | ${expected}`),
  );
}

const withoutValue: Readonly<Record<string, readonly [string, string]>> = {
  'with: {port: }': ['job: {id: a, with: {port: }}', '1:21'],
  'params: without a value': ['job:\n  id: a\n  params:\n', '3:3'],
  'hosts: without a value': ['intent:\n  action: install\n  target_resource_type: a\n  hosts:\n', '4:3'],
  'stages: [null]': ['scenario: {id: a, stages: [null]}', '1:28'],
  'requires: {}': ['scenario: a\nrequires: {}', '2:1'],
  'inputs.requires: {}': ['job: {id: a, inputs: {requires: {}}}', '1:23'],
  'hosts: {}': ['intent: {action: a, target_resource_type: b, hosts: {}}', '1:46'],
  'a parameter': ['intent: {action: a, target_resource_type: b, port: }', '1:46'],
  'a document': ['job:', '1:1'],
  'a key without a colon': ['job: {id}', '1:7'],
};

for (const [name, [text, place]] of Object.entries(withoutValue)) {
  test(`[V14] nothing where a value belongs is told with place and cure: ${name}`, () => {
    assert.deepEqual(told(text), [`missing_value ${place} | a value or leave the key out`]);
  });
}

test('[V14] null is a value inside a JSON Schema', () => {
  assert.deepEqual(
    told('job: {id: a, params: {type: object, properties: {x: {default: null, enum: [null, 1]}}}}'),
    [],
  );
});

test('unquoted numbers where a text belongs are told with what they would become', () => {
  const text =
    'job:\n  id: a\n  title: 3.10\n  run:\n    command: [72225e2, 0192117, 12345678901234567890, "3.10", yes]\n';
  assert.deepEqual(told(text), [
    'wrong_type 3:10 | a text; quote it: "3.10"',
    'wrong_type 5:15 | a text; values never enter a command line; quote it: "72225e2"',
    'wrong_type 5:24 | a text; values never enter a command line; quote it: "0192117"',
    'wrong_type 5:33 | a text; values never enter a command line; quote it: "12345678901234567890"',
  ]);
  assert.deepEqual(told('job: {id: a, run: {timeout: 600, command: [x]}}'), [
    'wrong_type 1:29 | a duration such as 10m, 90s, 2h or 7d',
  ]);
  const [problem] = check(text).problems;
  assert.equal(
    problem && renderText(problem.text),
    'job.title: 3.10 without quotes is read as 3.1, not as a text',
  );
  assert.deepEqual(told('intent: {action: a, target_resource_type: b, size: 12345678901234567890}'), [
    'unsafe_number 1:52 | a number up to 9007199254740991, or quotes around it to make it a text',
  ]);
});

test('an unknown key is told with the nearest one, at its place', () => {
  assert.deepEqual(told('job:\n  id: a\n  titel: x\n  run: {scrpt: files/a.sh}\n'), [
    'unknown_key 3:3 | did you mean title?',
    'unknown_key 4:9 | did you mean script?',
  ]);
  assert.deepEqual(told('plan_patch: {reason: a, changes: [{insrt: x}]}'), [
    'missing_key 1:35 | one of insert_after, insert_before, replace, remove, modify, add_gate, connect, disconnect, set_output, rebind, retry',
    'unknown_key 1:36 | one of retry',
  ]);
  assert.deepEqual(told('jobb: {id: a}'), ['unknown_document 1:1 | did you mean job?']);
});

test('values out of range are told with what is right', () => {
  assert.deepEqual(told('job: {id: a, risk: hihg}'), [
    'invalid_value 1:20 | one of low, medium, high, critical; did you mean high?',
  ]);
  assert.deepEqual(told('job: {id: a, run: {timeout: 10 minutes, command: [x]}}'), [
    'invalid_value 1:29 | a duration such as 10m, 90s, 2h or 7d',
  ]);
  assert.deepEqual(told('job: {id: a, run: {command: [x], script: files/a.sh}}'), [
    'invalid_value 1:20 | one of script, command, http, manual, reboot',
  ]);
  assert.deepEqual(told('job: {id: a, run: {script: files/../../etc/passwd}}'), [
    'invalid_value 1:28 | a path below files/',
  ]);
  assert.deepEqual(told('job: {id: a, target: eech(nodes)}'), [
    'unknown_reference 1:22 | did you mean each?',
  ]);
  assert.deepEqual(told('- a\n- b\n').length, 1);
});

test('[V13] each file has its entry: a good one, one with a duplicate key, one that is no YAML', () => {
  const reports = checkDocuments([
    { file: 'good.yaml', text: 'check: {id: a, command: ["true"], expect: exit_code == 0}' },
    { file: 'dup.yaml', text: 'job:\n  id: a\n  run:\n    command: [a]\n    command: [b]\n' },
    { file: 'notyaml.yaml', text: 'a: [b\n' },
    { file: 'empty.yaml', text: '' },
  ]);
  assert.deepEqual(
    reports.map(({ file, kind, complete, problems }) => [
      file,
      kind,
      complete,
      problems.map(({ code }) => code)[0] ?? null,
    ]),
    [
      ['good.yaml', 'check', true, null],
      ['dup.yaml', 'job', false, 'duplicate_key'],
      ['notyaml.yaml', 'unknown', false, 'invalid_yaml'],
      ['empty.yaml', 'unknown', false, 'no_documents'],
    ],
  );
  assert.deepEqual(reports[1]?.problems[0]?.alsoAt, [{ file: 'dup.yaml', line: 4, column: 5 }]);
});

test('[S21] stage ids and job ids are one namespace, and `after` has no ring', () => {
  assert.deepEqual(
    told('scenario:\n  id: a\n  stages:\n    - {id: x, jobs: [y]}\n    - {id: y, jobs: [z]}\n'),
    ['duplicate_id 4:22 | another id for the stage'],
  );
  assert.deepEqual(told('scenario: {id: a, stages: [{id: x, after: [y]}, {id: y, after: [x]}]}'), [
    'cycle 1:43 | an order without a ring',
  ]);
  assert.deepEqual(told('scenario: {id: a, stages: [{id: prepare}, {id: y, after: [prepar]}]}'), [
    'unknown_reference 1:59 | did you mean prepare?',
  ]);
});

test('[S16] parameters are set by expressions over what exists, and secrets only by reference', () => {
  const job = (rest: string) =>
    `job: {id: a, params: {type: object, properties: {mode: {type: string}, key: {type: string, sensitive: true}}}, ${rest}}`;
  assert.deepEqual(told(job('with: {mode: primary}')), [
    'invalid_expression 1:125 | a CEL expression over intent, params, target, host, sets, bindings, env; a text is written \'"primary"\'',
  ]);
  assert.deepEqual(told(job('with: {mode: \'"primary"\', key: {artifact: bindings.s3.claim.secret}}')), []);
  assert.deepEqual(told(job('with: {key: host.name}')), [
    'invalid_value 1:124 | {secret: REF} or {artifact: REF}: a secret never becomes a value of an expression',
  ]);
  assert.deepEqual(told(job('with: {moode: host.name}')), ['unknown_key 1:119 | did you mean mode?']);
});

test('[S2] no command of a pack runs beside the control plane', () => {
  assert.deepEqual(told('check: {id: a, from: capstan, command: ["true"], expect: exit_code == 0}'), [
    'invalid_value 1:22 | a host; from: capstan is for http and tcp',
  ]);
  assert.deepEqual(told('check: {id: a, from: capstan, tcp: {port: 22}, expect: "true"}'), []);
});

test('[S10] generators and masking patterns are read when they are loaded', () => {
  assert.deepEqual(told('scenario: {id: a, generate: {p: password(4)}}'), [
    'invalid_value 1:33 | password(32) or token(20), from 8 to 256 characters',
  ]);
  assert.deepEqual(told('scenario: {id: a, generate: {p: passwort(32)}}'), [
    'invalid_value 1:33 | password(32) or token(20)',
  ]);
  const artifact = (pattern: string) => `artifacts: [{name: a, of: b, redact: ['${pattern}']}]`;
  for (const bad of ['(a+)+', '(a|aa)+$', '(?<n>a)\\k<n>', 'a*', '(', '(\\w+\\s?)*x'])
    assert.deepEqual(
      told(artifact(bad)),
      ['invalid_value 1:39 | a pattern that ends quickly on every text, and matches something'],
      bad,
    );
  for (const good of [
    '[a-z0-9]{6}\\.[a-z0-9]{16}',
    'secret_key=\\S+',
    'eyJ[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+){2}',
  ])
    assert.deepEqual(told(artifact(good)), [], good);
});

test('[C28] a document that is wrong in thousands of places is told quickly, with the first hundred', () => {
  const many = <T>(make: (index: number) => T) => Array.from({ length: 4_000 }, (_, index) => make(index));
  const keyed = (make: (index: number) => JsonValue) =>
    Object.fromEntries(many((index) => [`k${index}`, make(index)]));
  const documents: readonly JsonValue[] = [
    { job: { id: 'a', ...keyed(() => 1) } },
    { intent: { action: 'a', target_resource_type: 'b', ...keyed(() => null) } },
    { job: { id: 'a', with: keyed((index) => `bad${index}`) } },
    { scenario: { id: 'a', stages: many((index) => ({ id: `s${index}`, after: [`x${index}`] })) } },
    {
      scenario: {
        id: 'a',
        requires: many((index) => ({ as: `r${index}`, capability: 'a.b', same_as: `q${index}` })),
      },
    },
    { capabilities: keyed(() => ({ of: 'a', version_attribute: 'b' })) },
  ];
  for (const document of documents) {
    const began = process.cpuUsage();
    const { problems } = check(JSON.stringify(document));
    const { user, system } = process.cpuUsage(began);
    assert.equal(problems.length, 100);
    assert.ok(user + system < 2_000_000, `${(user + system) / 1_000} ms`);
  }
});
