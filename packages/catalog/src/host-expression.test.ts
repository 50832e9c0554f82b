import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatHostExpression,
  jobPlace,
  parseHostExpression,
  parseOn,
  setsOf,
  unknownFunctions,
} from './host-expression.js';

test('[S14] a target is the host, each or the first member of a set; the rest is kept as written', () => {
  assert.deepEqual(jobPlace('host'), { kind: 'host' });
  assert.deepEqual(jobPlace('each(new)'), { kind: 'each', set: 'new' });
  assert.deepEqual(jobPlace('first( masters )'), { kind: 'first', set: 'masters', healthy: false });
  assert.deepEqual(jobPlace('first(healthy(masters))'), { kind: 'first', set: 'masters', healthy: true });
  for (const source of [
    'client_of(binding:cluster)',
    'each(members+new)',
    'any(a)',
    'target',
    'each(healthy(a))',
  ])
    assert.deepEqual(jobPlace(source), { kind: 'other', source });
});

test('[S14] whose capability is meant: host, target, a binding, or members of a set', () => {
  assert.deepEqual(parseOn('host'), { kind: 'host' });
  assert.deepEqual(parseOn('binding:s3.claim'), { kind: 'binding', name: 's3', claim: true });
  assert.deepEqual(parseOn('binding:cluster'), { kind: 'binding', name: 'cluster', claim: false });
  assert.deepEqual(parseOn('all(new)'), { kind: 'all', set: 'new' });
  for (const source of ['new', 'each(new)', 'first(healthy(new))', 'all(a+b)', '', 'binding:'])
    assert.equal(parseOn(source), null, source);
});

test('expressions that are none, and functions that do not exist, are found', () => {
  for (const source of ['', '(', 'a(', 'first()', 'a b c(', 'a)+b(c', 'x'.repeat(3) + '('.repeat(20)])
    assert.equal(parseHostExpression(source), null, source);
  const nested = parseHostExpression('first(healty(masters))');
  assert.deepEqual(nested && unknownFunctions(nested), ['healty']);
  const sum = parseHostExpression('each( members + new )');
  assert.equal(sum && formatHostExpression(sum), 'each(members+new)');
  assert.deepEqual(sum && setsOf(sum), ['new']);
});
