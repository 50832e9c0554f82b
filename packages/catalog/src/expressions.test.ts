import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExpressionScope, JsonValue } from '@capstan/model';
import { CHECK_SCOPE, PLAN_SCOPE } from '@capstan/model';
import { createExpressions } from './expressions.js';

const expressions = createExpressions();
const SCOPE: ExpressionScope = {
  variables: { l: 'dyn', m: 'dyn', s: 'string', params: 'dyn', exit_code: 'int' },
};

const thousand = Array.from({ length: 1_000 }, (_, index) => index);
const hosts = Array.from({ length: 300 }, (_, index) => ({ name: `host-${index}`, zone: 'a'.repeat(30) }));
const mib = 'a'.repeat(1024 * 1024);

function value(source: string, values: Readonly<Record<string, JsonValue>> = {}): JsonValue {
  const result = expressions.evaluate(source, values);
  assert.ok(result.ok, result.ok ? '' : `${source}: ${result.error}`);
  return result.value;
}

/** 60 ways out of the box that other products' expressions had. */
const escapes = [
  ...['constructor', '__proto__', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'].flatMap((name) => [
    `params.${name}`,
    `params["${name}"]`,
    `"".${name}`,
    `[].${name}`,
    `params.${name}.${name}`,
    `${name}("return process")()`,
  ]),
  ...[
    'process',
    'globalThis',
    'global',
    'require',
    'module',
    'import',
    'this',
    'self',
    'window',
    'eval',
    'Function',
    'Object',
  ],
  'require("child_process").execSync("id")',
  'process.env.PATH',
  's.constructor("return 1")()',
  ['`$', '{process.env}`'].join(''),
  '(() => 1)()',
  'function() { return 1 }',
  'new Function("return 1")',
  'params.x = 1',
  'params; params',
  '/x/.exec(s)',
  's.replace("a", "b")',
  'l.push(1)',
];

/** Milliseconds of processor time since `began`: the wall clock of a busy machine says little. */
function spent(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

test('[C25] 60 expressions that reach for the host language are refused or find nothing', () => {
  assert.ok(escapes.length >= 60, `${escapes.length}`);
  for (const source of escapes) {
    const refusal = expressions.check(source, SCOPE);
    const result = expressions.evaluate(source, { params: {}, s: 'x', l: [1] });
    assert.ok(!result.ok, `${source} gave ${JSON.stringify(result)}`);
    // What the check lets through is a plain look-up of a key that is not there.
    if (refusal === null) assert.match(result.error, /No such key/, source);
  }
});

/** 20 expressions that would run for seconds, hours or out of memory. */
const bombs: readonly (readonly [string, Readonly<Record<string, JsonValue>>])[] = [
  ['l.all(x, l.all(y, l.all(z, true)))', { l: thousand }],
  ['l.map(x, l.map(y, l.map(z, z))).size()', { l: thousand }],
  ['(l + l + l + l).all(x, (l + l + l + l).all(y, true))', { l: thousand }],
  ['l.all(x, m.all(y, m == l))', { l: hosts, m: hosts }],
  ['l.all(x, l.all(y, y in l))', { l: thousand }],
  ['l.map(x, l + l + l).map(y, y + y + y).map(z, z + z + z + z).size()', { l: thousand }],
  ['l.map(x, s).join("").size()', { l: thousand, s: mib }],
  ['l.map(x, s + s).size()', { l: thousand, s: mib }],
  ['s.split("").all(x, s.split("").all(y, x == y))', { s: mib }],
  ['s.split("").map(c, c + c + c + c).size()', { s: mib }],
  ['l.all(x, s.contains("aaaaaaaab"))', { l: thousand, s: mib }],
  ['s.contains(params.p)', { s: mib, params: { p: `${'a'.repeat(5_000)}b` } }],
  ['l.all(x, l.all(y, s.startsWith(s)))', { l: thousand, s: mib }],
  ['s.matches("^(a+)+$")', { s: `${'a'.repeat(40)}!` }],
  ['cel.bind(a, l + l, cel.bind(b, a + a, b + b).size() > 0)', { l: thousand }],
  [Array(260).fill('s').join(' + '), { s: 'a' }],
  [`${Array(200).fill('s').join(' + ')} == "x"`, { s: mib }],
  [`${'('.repeat(1_500)}1${')'.repeat(1_500)}`, {}],
  ['['.repeat(100) + ']'.repeat(100), {}],
  [
    'l.exists(x, l.exists(y, timestamp("2024-01-01T00:00:00Z").getHours("America/New_York") == x - 2000))',
    { l: thousand },
  ],
  ['l.size() > 0', { l: [...thousand, 1] }],
];

test('[C25] 20 cost bombs are refused before they run, each in under 200 ms', () => {
  assert.ok(bombs.length >= 20, `${bombs.length}`);
  for (const [source, values] of bombs) {
    const began = process.cpuUsage();
    const refusal = expressions.check(source, SCOPE);
    const result = expressions.evaluate(source, values);
    assert.ok(spent(began) < 200, `${source.slice(0, 60)} took ${spent(began)} ms`);
    assert.ok(!result.ok, `${source.slice(0, 60)} ran; check said ${refusal}`);
  }
});

test('[C25] what the limits allow also ends: two loops over a thousand items', () => {
  const began = process.cpuUsage();
  assert.equal(value('l.all(x, l.all(y, x >= 0))', { l: thousand }), true);
  assert.equal(value('l.exists(x, l.exists(y, x + y == -1))', { l: thousand }), false);
  assert.equal(value('l.all(x, m.exists(y, y.name == x.name))', { l: hosts, m: hosts }), true);
  assert.ok(spent(began) < 3_000, `${spent(began)} ms`);
});

test('what an expression may read is known when it is loaded', () => {
  assert.equal(expressions.check('exit_code == 0 && stdout.contains("ok")', CHECK_SCOPE), null);
  assert.equal(expressions.check('json.port', CHECK_SCOPE), null);
  assert.equal(expressions.check('"tempo-" + target.name', PLAN_SCOPE), null);
  assert.equal(expressions.check('bindings.s3.claim.attributes.addressing == "path"', PLAN_SCOPE), null);
  assert.equal(expressions.check('l.exists(x, type(x) == string)', SCOPE), null);
  assert.match(expressions.check('exitcode == 0', CHECK_SCOPE) ?? '', /unknown variable exitcode/i);
  assert.match(expressions.check('l.map(x, y)', SCOPE) ?? '', /unknown variable y/i);
  assert.match(expressions.check('exit_code == "0"', CHECK_SCOPE) ?? '', /no such overload/);
  assert.match(expressions.check('exit_code ==', CHECK_SCOPE) ?? '', /at character/);
  assert.match(expressions.check('', CHECK_SCOPE) ?? '', /EOF/);
  assert.match(expressions.check('s.matches("x")', SCOPE) ?? '', /matches is not available/);
  assert.match(expressions.check('b"abc" == b"abc"', SCOPE) ?? '', /bytes/);
  assert.match(expressions.check(' '.repeat(5_000), SCOPE) ?? '', /longer than/);
});

test('JSON goes in and comes out: whole numbers are whole, null is null, what is no JSON is refused', () => {
  assert.equal(value('exit_code == 0', { exit_code: 0 }), true);
  assert.equal(value('params.port + 1', { params: { port: 5432 } }), 5433);
  assert.equal(value('params.ratio * 2.0', { params: { ratio: 2.5 } }), 5);
  assert.equal(value('json == null', { json: null }), true);
  assert.deepEqual(value('[params.node]', { params: { node: 'worker-6' } }), ['worker-6']);
  assert.deepEqual(value('{"a": [1, 2.5, params]}', { params: { x: null } }), { a: [1, 2.5, { x: null }] });
  assert.equal(value('has(params.x) ? params.x : "none"', { params: {} }), 'none');
  assert.equal(value('s.split(",").map(x, x.trim()).join("-")', { s: 'a, b,c' }), 'a-b-c');
  for (const source of [
    '9007199254740993',
    'timestamp("2024-01-01T00:00:00Z")',
    'type(1)',
    '1.0 / 0.0',
    'params.missing',
    '1 / 0',
  ])
    assert.equal(expressions.evaluate(source, { params: {} }).ok, false, source);
  assert.equal(expressions.evaluate('params.n', { params: { n: 2 ** 60 } }).ok, false);
  // A look-up in nothing is an error, not a false: a check whose output is no JSON must not pass by accident.
  assert.equal(expressions.evaluate('json.port == 5432', { json: null }).ok, false);
});

test('the same expression over the same values always ends the same way', () => {
  for (const [source, values] of bombs)
    assert.deepEqual(
      expressions.evaluate(source, values),
      createExpressions().evaluate(source, values),
      source.slice(0, 60),
    );
});
