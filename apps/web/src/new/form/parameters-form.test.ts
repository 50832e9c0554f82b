import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '@capstan/model';
import { createSchemaUtils, type RJSFSchema } from '@rjsf/utils';
import { FORM_STATE } from './form-state';
import { formValidator } from './form-validator';
import { initialParameters } from './initial-parameters';
import { invalidJson } from './invalid-json';
import { judgeParameters } from './judge-parameters';
import { presentParameters } from './present-parameters';
import { tidyParameters } from './tidy-parameters';

type Json = Record<string, JsonValue>;

const V18: Json = {
  type: 'object',
  additionalProperties: false,
  required: ['size', 'tier'],
  properties: {
    size: { oneOf: [{ const: 'small' }, { const: 'large' }] },
    speed: { oneOf: [{ const: 'slow' }, { const: 'fast' }] },
    tier: { type: 'string', oneOf: [{ const: 'gold', title: 'Gold' }, { const: 'tin' }] },
    shape: { oneOf: [{ type: 'object', properties: { side: { const: 1 } } }, { type: 'string' }] },
    zero: { type: 'integer', default: 0 },
    off: { type: 'boolean', default: false },
    empty: { type: 'string', default: '' },
    plain: { type: 'string' },
    list: { type: 'array', items: { type: 'string' } },
    inner: { type: 'object', required: ['deep'], properties: { deep: { type: 'string' } } },
  },
};

/** What the form holds after RJSF had its say on the values, as it has after every key press. */
function formState(params: Json, values: Json): Json {
  const { schema, fields } = presentParameters(params);
  const validator = formValidator(params, fields, ({ code }) => code);
  const utils = createSchemaUtils(validator, schema as RJSFSchema, FORM_STATE);
  return { ...(utils.getDefaultFormState(schema as RJSFSchema, values) as Json) };
}

function sent(params: Json, values: Json): Json {
  return { ...tidyParameters(presentParameters(params).fields, formState(params, values)) };
}

test('[V18] an untouched form sends the defaults, 0, false and "" among them, and no choice that nobody made', () => {
  assert.deepEqual(sent(V18, initialParameters(V18)), { zero: 0, off: false, empty: '' });
});

test('[V18] a required choice that nobody made is a fault at its own field', () => {
  const { fields } = presentParameters(V18);
  const { errors, errorSchema } = formValidator(V18, fields, ({ code }) => code).validateFormData(
    initialParameters(V18),
    {},
  );
  assert.deepEqual(
    errors.map(({ property, name }) => [property, name]),
    [
      ['.size', 'required'],
      ['.tier', 'required'],
    ],
  );
  assert.deepEqual(errorSchema, { size: { __errors: ['required'] }, tier: { __errors: ['required'] } });
});

test('[V18] what was chosen is sent, and nothing beside it', () => {
  const chosen = { ...initialParameters(V18), size: 'large', tier: 'gold', shape: 'round' };
  assert.deepEqual(sent(V18, chosen), { ...chosen });
  assert.deepEqual(judgeParameters(V18, chosen), []);
});

test('an object that may be left out is left out until something is in it', () => {
  assert.deepEqual(sent(V18, { inner: { deep: undefined } as never }), {});
  assert.deepEqual(judgeParameters(V18, { size: 'small', tier: 'tin', inner: {} }), [
    { path: ['inner', 'deep'], code: 'required', args: {} },
  ]);
});

test('defaults inside a required object stand in the form; those of an object that may be left out do not', () => {
  const inner = { type: 'object', properties: { port: { type: 'integer', default: 0 } } };
  const params = { type: 'object', required: ['must'], properties: { must: inner, may: inner } };
  assert.deepEqual(initialParameters(params), { must: { port: 0 } });
});

test('a list keeps a row that was added and not filled in, and says that it is missing', () => {
  const { fields } = presentParameters(V18);
  const values = tidyParameters(fields, { size: 'small', tier: 'tin', list: ['a', undefined] as never });
  assert.deepEqual(judgeParameters(V18, values), [{ path: ['list', 1], code: 'required', args: {} }]);
});

test('[UX-E18] a schema that the form cannot draw is edited as JSON, in its place', () => {
  const kinds = Object.entries(presentParameters(V18).fields.properties ?? {});
  assert.deepEqual(Object.fromEntries(kinds.map(([name, { kind }]) => [name, kind])), {
    size: 'choice',
    speed: 'choice',
    tier: 'choice',
    shape: 'json',
    zero: 'plain',
    off: 'boolean',
    empty: 'plain',
    plain: 'plain',
    list: 'list',
    inner: 'object',
  });
  const odds: Json[] = [
    { type: 'string', contentEncoding: 'base64' },
    { type: ['string', 'null'] },
    { type: 'object', additionalProperties: { type: 'string' } },
    { type: 'array', items: { type: 'array', items: {} } },
    {},
  ];
  for (const odd of odds) assert.equal(kindOf(odd), 'json', JSON.stringify(odd));
  assert.equal(kindOf({ type: 'string', sensitive: true }), 'secret');
  assert.equal(kindOf({ type: 'string', format: 'capstan-host' }), 'host');
  assert.equal(kindOf({ type: 'array', uniqueItems: true, items: { enum: ['a', 'b'] } }), 'choices');
});

function kindOf(schema: Json): string | undefined {
  return presentParameters({ type: 'object', properties: { it: schema } }).fields.properties?.it?.kind;
}

test('a parameter that only an alternative names is in the form', () => {
  const params: Json = {
    type: 'object',
    properties: { mode: { enum: ['a', 'b'] } },
    oneOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'integer' } } }],
  };
  assert.deepEqual(Object.keys(presentParameters(params).fields.properties ?? {}).sort(), ['a', 'b', 'mode']);
});

test('each constraint is told at its place with what would be right', () => {
  const faultsOf = (property: Json, value: JsonValue) =>
    judgeParameters({ type: 'object', properties: { it: property } }, { it: value }).map(
      ({ path, code, args }) => [path.join('.'), code, args],
    );
  assert.deepEqual(faultsOf({ type: 'integer', minimum: 3 }, 2), [['it', 'minimum', { limit: 3 }]]);
  assert.deepEqual(faultsOf({ type: 'integer' }, 'x'), [['it', 'type_integer', {}]]);
  assert.deepEqual(faultsOf({ type: 'string', pattern: '^a$' }, 'b'), [
    ['it', 'pattern', { expected: '^a$' }],
  ]);
  assert.deepEqual(faultsOf({ type: 'string', maxLength: 1 }, 'ab'), [['it', 'max_length', { limit: 1 }]]);
  assert.deepEqual(faultsOf({ type: 'string', format: 'ipv4' }, 'x'), [
    ['it', 'format', { expected: 'ipv4' }],
  ]);
  assert.deepEqual(faultsOf({ enum: ['a'] }, 'b'), [['it', 'choice', {}]]);
  assert.deepEqual(faultsOf({ oneOf: [{ const: 1 }, { const: 2 }] }, 3), [['it', 'choice', {}]]);
  assert.deepEqual(faultsOf({ oneOf: [{ type: 'string' }, { minimum: 2 }] }, 1), [
    ['it', 'alternatives', {}],
  ]);
  assert.deepEqual(faultsOf({ allOf: [{ not: { enum: ['root'] } }] }, 'root'), [
    ['it', 'reserved', { values: 'root' }],
  ]);
  assert.deepEqual(faultsOf({ not: { pattern: '^pg_' } }, 'pg_x'), [
    ['it', 'reserved_pattern', { pattern: '^pg_' }],
  ]);
  assert.deepEqual(faultsOf({ type: 'array', items: { type: 'integer' } }, [1, 'x']), [
    ['it.1', 'type_integer', {}],
  ]);
  assert.deepEqual(faultsOf({ type: 'array', uniqueItems: true }, [1, 1]), [['it', 'unique_items', {}]]);
  assert.deepEqual(faultsOf({ type: 'array', contains: { const: 1 } }, [2]), [['it', 'contains', {}]]);
  assert.deepEqual(faultsOf({ type: 'object', additionalProperties: false }, { 'a/b': 1 }), [
    ['it.a/b', 'unknown_key', {}],
  ]);
  // From text: a literal with a key `then` looks like a promise to the linter.
  const conditional = JSON.parse('{"if": {"type": "string"}, "then": {"minLength": 2}}');
  assert.deepEqual(faultsOf(conditional, 'a'), [['it', 'min_length', { limit: 2 }]]);
  assert.deepEqual(faultsOf({ type: 'string', sensitive: true }, 'hunter2'), [
    ['it', 'no_secret_reference', {}],
  ]);
  assert.deepEqual(faultsOf({ type: 'string', sensitive: true }, { secret: 'db' }), []);
  assert.deepEqual(faultsOf({ type: 'string' }, 'a\0b'), [['it', 'nul', {}]]);
  assert.deepEqual(faultsOf({ type: 'object' }, invalidJson('{')), [['it', 'invalid_json', {}]]);
});

test('judging needs no code generation, which the page forbids', () => {
  const { Function: Original } = globalThis;
  globalThis.Function = function refuse() {
    throw new EvalError('code generation');
  } as never;
  try {
    assert.equal(judgeParameters({ type: 'object', required: ['a'] }, {}).length, 1);
  } finally {
    globalThis.Function = Original;
  }
});
