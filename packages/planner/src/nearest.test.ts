import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedName, nearest } from './nearest.js';

test('the nearest name: one slip, a swap, upper case; nothing when all are far', () => {
  assert.equal(nearest('verison', ['version', 'vision']), 'version');
  assert.equal(nearest('VERSION', ['version']), 'version');
  assert.equal(nearest('host', ['hosts', 'most']), 'hosts');
  assert.equal(nearest('zzzzzz', ['version']), null);
  assert.equal(nearest('x', []), null);
});

test('the expectation lists at most twelve names', () => {
  const many = Array.from({ length: 40 }, (_, i) => `name-${String(i).padStart(2, '0')}`);
  assert.ok(expectedName('other-thing', many).endsWith('name-11, … (40)'));
  assert.equal(expectedName('x', []), 'none is known');
});
