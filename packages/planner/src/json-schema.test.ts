import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '@capstan/model';
import fc from 'fast-check';
import { applySchema } from './json-schema.js';

const strict = { strict: true };
const faults = (schema: JsonValue, value: JsonValue, options = strict) =>
  applySchema(schema, value, '', options).faults.map((f) => [f.kind, f.path, f.expected]);
const valid = (schema: JsonValue, value: JsonValue) =>
  applySchema(schema, value, 'x', { strict: false }).faults.length === 0;

test('[S36] an unknown parameter is refused with the nearest name, unless the schema says otherwise', () => {
  const schema = { type: 'object', properties: { version: {}, port: {} } };
  assert.deepEqual(faults(schema, { verison: 1 }), [
    ['unknown', 'verison', 'did you mean "version"? One of: port, version'],
  ]);
  assert.deepEqual(faults({ ...schema, additionalProperties: true }, { verison: 1 }), []);
  assert.deepEqual(faults({ ...schema, additionalProperties: { type: 'string' } }, { other: 1 }), [
    ['invalid', 'other', 'type string'],
  ]);
});

test('defaults are filled in, also inside objects, and keep the schema', () => {
  const schema = {
    type: 'object',
    properties: {
      port: { type: 'integer', default: 5432 },
      tls: { type: 'object', properties: { on: { default: false } } },
    },
  };
  assert.deepEqual(applySchema(schema, { tls: {} }, '', strict).value, { tls: { on: false }, port: 5432 });
  assert.deepEqual(faults({ type: 'object', properties: { port: { type: 'integer', default: 'x' } } }, {}), [
    ['invalid', 'port', 'type integer'],
  ]);
});

test('each keyword accepts and refuses at its border', () => {
  const table: readonly [JsonValue, readonly JsonValue[], readonly JsonValue[]][] = [
    [{ type: 'string' }, ['', 'x'], [1, null, [], {}, true]],
    [{ type: 'integer' }, [1, -1], [1.5, '1', 2 ** 60]],
    [{ type: 'number' }, [1, 1.5], ['1']],
    [{ type: ['string', 'null'] }, ['x', null], [1]],
    [{ type: 'boolean' }, [true], ['true', 0]],
    [
      { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2, uniqueItems: true },
      [['a'], ['a', 'b']],
      [[], ['a', 'b', 'c'], ['a', 'a'], [1]],
    ],
    [{ enum: ['path', 1, { a: 1 }] }, ['path', 1, { a: 1 }], ['PATH', '1', {}]],
    [{ const: 5 }, [5], ['5']],
    [{ minimum: 1, maximum: 3 }, [1, 3], [0, 4]],
    [{ exclusiveMinimum: 1, exclusiveMaximum: 3 }, [2], [1, 3]],
    [{ multipleOf: 5 }, [10], [7]],
    [{ minLength: 2, maxLength: 3 }, ['ab', 'äöü', '😀😀'], ['a', 'abcd']],
    [
      { type: 'string', pattern: '^[a-z0-9-]{3,5}$' },
      ['abc'],
      ['AB', 'abcdef', 'abc\n', `${'a'.repeat(5000)}`],
    ],
    [{ anyOf: [{ type: 'string' }, { type: 'integer', minimum: 5 }] }, ['x', 5], [4, null]],
    [{ oneOf: [{ minimum: 5 }, { maximum: 3 }] }, [6, 2], [4]],
    [{ allOf: [{ minimum: 5 }, { maximum: 7 }] }, [6], [4, 8]],
    [{ type: 'object', required: ['a'], properties: { a: {} } }, [{ a: 1 }], [{}]],
    [
      { type: 'object', properties: { a: { type: 'object', properties: {}, additionalProperties: false } } },
      [{ a: {} }],
      [{ a: { b: 1 } }],
    ],
    [{ type: 'string', not: { enum: ['postgres', 'none'] } }, ['main'], ['postgres', 'none', 1]],
    [
      JSON.parse('{"if": {"minimum": 10}, "then": {"multipleOf": 5}, "else": {"maximum": 3}}'),
      [10, 2],
      [11, 4],
    ],
    [{ contains: { type: 'string' } }, [['a', 1]], [[1], []]],
    [{ propertyNames: { pattern: '^[a-z]+$' } }, [{ a: 1 }], [{ A: 1 }]],
    [
      { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
      [{ 'x-a': 'b' }],
      [{ 'x-a': 1 }, { y: 'b' }],
    ],
    [{ minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: 1, b: 2, c: 3 }]],
    [true, [1, null], []],
    [false, [], [1]],
  ];
  for (const [schema, good, bad] of table) {
    for (const value of good)
      assert.ok(valid(schema, value), `${JSON.stringify(schema)} takes ${JSON.stringify(value)}`);
    for (const value of bad)
      assert.ok(!valid(schema, value), `${JSON.stringify(schema)} refuses ${JSON.stringify(value)}`);
  }
});

test('a keyword that is not understood is refused, never ignored', () => {
  assert.deepEqual(faults({ properties: { a: { type: 'string', contentEncoding: 'base64' } } }, { a: 'x' }), [
    ['unsupported', 'a', 'a schema without the keyword "contentEncoding"'],
  ]);
  assert.deepEqual(faults({ properties: { a: { pattern: '(' } } }, { a: 'x' })[0]?.[0], 'unsupported');
});

test('a format is kept, not only named', () => {
  const table: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
    date: [['2026-02-28'], ['2026-02-30', '26-1-1', 'x']],
    time: [
      ['12:00:00Z', '23:59:60.5+02:00'],
      ['24:00:00Z', '12:00:00'],
    ],
    'date-time': [['2026-02-28T12:00:00Z'], ['2026-02-28', '2026-02-28 12:00:00Z']],
    duration: [
      ['P1D', 'PT5M', 'P2W', 'P1Y2M3DT4H'],
      ['P', 'PT', '5m', 'P1H'],
    ],
    uri: [
      ['https://x.example/y?z', 'urn:a:b'],
      ['x.example', 'http://a b'],
    ],
    email: [['a@b.example'], ['a', '@b', 'a@-b']],
    hostname: [
      ['a-1.example', 'x'],
      ['-a', 'a_b', 'a..b', ''],
    ],
    ipv4: [
      ['10.0.0.1', '255.255.255.255'],
      ['256.0.0.1', '1.2.3', '01.2.3.4'],
    ],
    ipv6: [
      ['::', '::1', 'fe80::1', '1:2:3:4:5:6:7:8', '::ffff:10.0.0.1'],
      ['1:2', ':::', '1::2::3', '12345::', '1:2:3:4:5:6:7:8:9', 'g::'],
    ],
    uuid: [['123e4567-e89b-12d3-a456-426614174000'], ['123e4567']],
  };
  for (const [format, [good, bad]] of Object.entries(table)) {
    for (const value of good) assert.ok(valid({ format }, value), `${value} is a ${format}`);
    for (const value of bad) assert.ok(!valid({ format }, value), `${value} is no ${format}`);
  }
  assert.deepEqual(faults({ format: 'regex' }, 'x')[0]?.[0], 'unsupported');
});

test('NUL is refused anywhere, with its place', () => {
  assert.deepEqual(faults({ properties: { a: {} } }, { a: { b: ['ok', 'x\0y'] } }), [
    ['nul', 'a.b[1]', 'text without U+0000'],
  ]);
  assert.deepEqual(faults(true, { ['k\0']: 1 }), [['nul', '', 'text without U+0000']]);
});

test('[L10] a sensitive value never stands in a document, and is not quoted back', () => {
  const { faults: found } = applySchema(
    { properties: { password: { type: 'string', sensitive: true } } },
    { password: 'hunter2' },
    '',
    strict,
  );
  assert.deepEqual(
    found.map((f) => [f.kind, f.path, f.found]),
    [['unsupported', 'password', '']],
  );
  assert.ok(!JSON.stringify(found).includes('hunter2'));
  const given = applySchema(
    { required: ['password'], properties: { password: { sensitive: true } } },
    {},
    '',
    { strict: true, given: new Set(['password']) },
  );
  assert.deepEqual(given.faults, []);
});

test('format capstan-host names an enrolled host', () => {
  const schema = { properties: { node: { type: 'string', format: 'capstan-host' } } };
  assert.deepEqual(
    faults(schema, { node: 'lab-2' }, { strict: true, hosts: ['lab-1', 'lab-2'] } as never),
    [],
  );
  assert.deepEqual(faults(schema, { node: 'lab2' }, { strict: true, hosts: ['lab-1', 'lab-2'] } as never), [
    ['unknown_host', 'node', 'did you mean "lab-2"? One of: lab-1, lab-2'],
  ]);
});

test('keys of a hostile document cannot reach a prototype', () => {
  const value = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}') as JsonValue;
  const result = applySchema({ type: 'object', additionalProperties: true }, value, '', strict);
  assert.deepEqual(Object.keys(result.value as object), ['__proto__', 'constructor']);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  assert.deepEqual(
    faults({ type: 'object', properties: {} }, value).map(([kind, path]) => [kind, path]),
    [
      ['unknown', '__proto__'],
      ['unknown', 'constructor'],
    ],
  );
});

test('a value that passes comes out unchanged, and checking it again changes nothing', () => {
  const schema = {
    type: 'object',
    additionalProperties: true,
    properties: { a: { type: 'integer', default: 1 } },
  };
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 })), (value) => {
      const first = applySchema(schema, JSON.parse(JSON.stringify(value)) as JsonValue, '', strict);
      if (first.faults.length > 0) return;
      assert.deepEqual(applySchema(schema, first.value, '', strict), { value: first.value, faults: [] });
    }),
  );
});
