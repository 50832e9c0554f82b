import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeRequest } from './limits.js';

function code(source: string, variables: Record<string, unknown> = {}): string | null {
  return judgeRequest(source, variables)?.code ?? null;
}

const nested = (levels: number): string => `{${' a{'.repeat(levels - 1)} b ${'}'.repeat(levels)}`;

test('[C31] what a client really asks passes', () => {
  assert.equal(
    code(
      'query($id: String!) { operation(ref: $id) { number status events(first: 100, after: 0) { nodes { type } } } }',
      { id: 'op-1' },
    ),
    null,
  );
  assert.equal(
    code(
      '{ __schema { types { name fields { type { ofType { ofType { ofType { ofType { ofType { ofType { ofType { name }}}}}}}}}}} }',
    ),
    null,
  );
  assert.equal(code('{ operation(ref: "1") { nodeRuns { attempts(first: 10) { nodes { id } } } } }'), null);
});

test('[C31] tokens, depth, aliases and directives are limited before validation', () => {
  assert.equal(code(`{ ${'a '.repeat(2_100)} }`), 'TOO_EXPENSIVE');
  assert.equal(code(nested(10)), null);
  assert.equal(code(nested(11)), 'TOO_EXPENSIVE');
  assert.equal(code(`{ ${Array.from({ length: 16 }, (_, i) => `x${i}: a`).join(' ')} }`), 'TOO_EXPENSIVE');
  assert.equal(code(`{ a ${'@x '.repeat(6)} }`), 'TOO_EXPENSIVE');
});

// Judged spread by spread, the 2^20 fields below would take minutes: the limit is there for that.
test('[C31] fragments neither hide depth nor turn in a ring nor multiply', { timeout: 10_000 }, () => {
  assert.equal(
    code('query { ...A } fragment A on Query { ...B } fragment B on Query { ...A }'),
    'BAD_REQUEST',
  );
  assert.equal(code(`query { ...A } fragment A on Query ${nested(11)}`), 'TOO_EXPENSIVE');
  const doubling = Array.from(
    { length: 20 },
    (_, i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`,
  ).join(' ');
  assert.equal(code(`query { ...F0 } ${doubling} fragment F20 on Query { a }`), 'TOO_EXPENSIVE');
});

test('[C31] a list inside a list may hold 1,000 rows, whatever spells its size', () => {
  const list =
    'query($n: Int = 100) { operations(first: $n) { nodes { events(first: 100) { nodes { type } } } } }';
  assert.equal(code(list), 'TOO_EXPENSIVE');
  assert.equal(code(list, { n: 10 }), null);
  assert.equal(
    code('{ operation(ref: "1") { nodeRuns { attempts(first: 11) { nodes { id } } } } }'),
    'TOO_EXPENSIVE',
  );
  assert.equal(
    code('{ operation(ref: "1") { nodeRuns(keys: ["a"]) { attempts(first: 100) { nodes { id } } } } }'),
    null,
  );
});

test('a text that is no GraphQL is a bad request', () => {
  assert.equal(code('{ a '), 'BAD_REQUEST');
  assert.equal(code('type Query { a: Int }'), 'BAD_REQUEST');
});
