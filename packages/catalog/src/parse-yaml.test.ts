import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseYaml } from './parse-yaml.js';

const MIB = 1024 * 1024;

/** Code, line and column of every problem, in the order of the text. */
function told(text: string): string[] {
  const { documents, problems } = parseYaml(text, 'f.yaml');
  return [
    ...problems,
    ...documents.flatMap((document) => [
      ...document.problems,
      ...document.unsafeNumbers.map(({ problem }) => problem),
    ]),
  ].map(({ code, place }) => `${code} ${place?.line}:${place?.column}`);
}

function values(text: string): unknown[] {
  return parseYaml(text, 'f.yaml').documents.map(({ value }) => value);
}

/** Milliseconds of processor time since `began`: the wall clock of a busy machine says little. */
function spent(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

const bombs: Readonly<Record<string, string>> = {
  'nested flow lists': '['.repeat(20_000),
  'nested flow maps': '{a: '.repeat(20_000),
  'nested block lists': '- '.repeat(20_000),
  'nested complex keys': '? '.repeat(20_000),
  'nested closed lists': '['.repeat(5_000) + ']'.repeat(5_000),
  'over 1 MiB': 'a: '.padEnd(MIB + 1, 'x'),
  commas: `[${','.repeat(MIB - 2)}`,
  colons: `[${': ,'.repeat(MIB / 3 - 1)}`,
  'many items': '- a\n'.repeat(MIB / 4),
  'many keys': Array.from({ length: 90_000 }, (_, index) => `k${index}: 1`).join('\n'),
  'many empty lists': `[${'[],'.repeat(300_000)}]`,
  'many documents': '---\na: 1\n'.repeat(110_000),
  'many directives': '%YAML 1.2\n'.repeat(50_000),
  'open quotes': '- "\n'.repeat(200_000),
  'custom tags': '- !a x\n'.repeat(100_000),
  'alias bomb': [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...[...'bcdefghi'].map(
      (name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]`,
    ),
  ].join('\n'),
  'alias chain that grows': [
    'a: &a [x,x,x,x,x,x,x,x,x,x]',
    ...[...'bcdef'].map(
      (name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcde'[index]}`).join(',')}]`,
    ),
  ].join('\n'),
  'too many aliases': `a: &a x\nb: [${'*a, '.repeat(101)}]`,
  'an alias inside itself': 'a: &a [*a]',
  'a merge key': 'a: &a {x: 1}\nb: {<<: *a}',
  'a custom tag': 'a: !ruby/object {x: 1}',
  'binary data': 'a: !!binary aGk=',
  'a set': 'a: !!set {x, y}',
  'another YAML version': '%YAML 1.1\n---\na: yes',
  'the key __proto__': '__proto__: {x: 1}',
};

for (const [name, text] of Object.entries(bombs)) {
  test(`[C28] refused with a place, within two seconds: ${name}`, () => {
    const began = process.cpuUsage();
    const problems = told(text);
    assert.ok(spent(began) < 2_000, `${spent(began)} ms`);
    assert.ok(problems.length > 0, 'it was accepted');
    for (const problem of problems) assert.match(problem, /^(document_too_large|invalid_yaml) \d+:\d+$/);
    assert.equal(({} as Record<string, unknown>).x, undefined);
  });
}

test('[C28] 64 levels, 100 aliases and a file just under 1 MiB are accepted', () => {
  assert.deepEqual(told('['.repeat(64) + ']'.repeat(64)), []);
  assert.deepEqual(told(`${'['.repeat(65)}${']'.repeat(65)}`), ['document_too_large 1:65']);
  assert.deepEqual(told(`a: &a x\nb: [${'*a, '.repeat(100)}]`), []);
  assert.deepEqual(told('a: '.padEnd(MIB, 'x')), []);
});

test('[V13] a duplicate key is one problem with both places, and the first value stays', () => {
  const [document] = parseYaml('job:\n  command: a\n  id: x\n  command: b\n', 'dup.yaml').documents;
  assert.deepEqual(document?.problems, [
    {
      code: 'duplicate_key',
      text: { code: 'doc.duplicate_key', args: { key: 'command' } },
      place: { file: 'dup.yaml', line: 4, column: 3 },
      alsoAt: [{ file: 'dup.yaml', line: 2, column: 3 }],
      expected: 'each key once',
    },
  ]);
  assert.deepEqual(document?.value, { job: { command: 'a', id: 'x' } });
});

test('[V03] CRLF in YAML is accepted, block scalars get LF, and places stay right', () => {
  assert.deepEqual(values('a: 1\r\nb: |\r\n  x\r\n  y\r\nc: [1,\r\n  2]\r\n'), [
    { a: 1, b: 'x\ny\n', c: [1, 2] },
  ]);
  assert.deepEqual(told('a: 1\r\nb: 2\r\n  \r\nb: 3\r\n'), ['duplicate_key 4:1']);
  assert.deepEqual(told('a: x\r\nc: "\\0"\r\n'), ['nul_in_parameter 2:4']);
});

test('[C23] NUL and half characters are refused at their place, in keys too', () => {
  assert.deepEqual(told('a:\n  - "x\\0y"\n"k\\0": 1'), ['nul_in_parameter 2:5', 'nul_in_parameter 3:1']);
  assert.deepEqual(told('{"a": "\\u0000"}'), ['nul_in_parameter 1:7']);
  assert.deepEqual(told('a: "\\uD800"'), ['invalid_value 1:4']);
  assert.deepEqual(told('a: "\\uD83D\\uDE00"'), []);
});

test('numbers that JSON cannot hold are told, numbers that it can are kept', () => {
  assert.deepEqual(values('[1, -2, 3.5, 0x10, 0o17, 1e3, 9007199254740991]'), [
    [1, -2, 3.5, 16, 15, 1000, 9007199254740991],
  ]);
  assert.deepEqual(told('a: 12345678901234567890\nb: .inf\nc: 1e999\nd: .nan'), [
    'invalid_value 2:4',
    'invalid_value 3:4',
    'invalid_value 4:4',
    'unsafe_number 1:4',
  ]);
});

test('keys are words as written', () => {
  assert.deepEqual(values('1: a\ntrue: b\non: c\n"quoted key": d'), [
    { '1': 'a', true: 'b', on: 'c', 'quoted key': 'd' },
  ]);
  assert.deepEqual(told('? [a]\n: b'), ['invalid_yaml 1:3']);
  assert.deepEqual(told(': b'), ['invalid_yaml 1:1']);
  assert.deepEqual(told('a: &x k\n*x : 2'), ['invalid_yaml 2:1']);
});

test('several documents of a file are read one by one, and nothing is no document', () => {
  assert.deepEqual(values('a: 1\n---\n# only words\n---\nb: 2\n---\n'), [{ a: 1 }, { b: 2 }]);
  for (const empty of ['', '# words\n', '---\n---\n', ' \n'])
    assert.deepEqual(told(empty), ['no_documents 1:1']);
  assert.deepEqual(values('\uFEFFa: 1'), [{ a: 1 }]);
});

test('a broken document leaves the others of its file readable', () => {
  const { documents } = parseYaml('a: 1\n---\nb: [1, }\n---\nc: 3\n', 'f.yaml');
  assert.deepEqual(
    documents.map(({ broken }) => broken),
    [false, true, false],
  );
  assert.deepEqual(documents[2]?.value, { c: 3 });
});

test('[V14] no text makes the reader throw', () => {
  const piece = fc.constantFrom(
    'a',
    ':',
    ' ',
    '\n',
    '- ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '&a ',
    '*a',
    '!t ',
    '|',
    '>',
    '"',
    "'",
    '#',
    '?',
    '---\n',
    '%',
    '\t',
    '\r\n',
    '\0',
    'null',
    '1',
    '<<',
    '@',
    '`',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const { documents, problems } = parseYaml(pieces.join(''), 'f.yaml');
      for (const document of documents) {
        assert.ok(document.place(['a', 0, 'b']).line >= 1);
        assert.ok(document.keyPlace([]).column >= 1);
      }
      assert.ok(documents.length + problems.length > 0);
    }),
    { numRuns: 2_000 },
  );
});
