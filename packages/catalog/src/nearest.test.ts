import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { editDistance, nearest } from './nearest.js';

test('the nearest name is found across slips of a letter or two, and nothing far', () => {
  const keys = ['constraints', 'desired_result', 'action', 'hosts', 'port'];
  assert.equal(nearest('constriants', keys), 'constraints');
  assert.equal(nearest('desired_results', keys), 'desired_result');
  assert.equal(nearest('Hosts', keys), 'hosts');
  assert.equal(nearest('prot', keys), 'port');
  assert.equal(nearest('zone', keys), null);
  assert.equal(nearest('', keys), null);
  assert.equal(nearest('x', []), null);
});

test('the distance is symmetric, zero only for equals, and stops at its limit', () => {
  const word = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', 'c') });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 1, max: 5 }), (a, b, limit) => {
      const distance = editDistance(a, b);
      assert.equal(distance, editDistance(b, a));
      assert.equal(distance === 0, a === b);
      assert.equal(editDistance(a, b, limit), Math.min(limit, distance));
    }),
  );
});
