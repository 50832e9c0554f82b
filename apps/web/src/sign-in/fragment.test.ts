import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFragment } from './fragment';

test('a fragment is a code, or the page of this site to return to', () => {
  assert.deepEqual(readFragment('#abc'), { code: 'abc', returnTo: '/' });
  assert.deepEqual(readFragment(''), { code: '', returnTo: '/' });
  assert.deepEqual(readFragment('#from=%2Foperations%2Fop-1%3Fview%3Dlist'), {
    code: '',
    returnTo: '/operations/op-1?view=list',
  });
  for (const elsewhere of [
    '//evil.example',
    '/%5Cevil.example',
    'https%3A%2F%2Fevil.example',
    '%',
    '/sign-in',
  ])
    assert.equal(readFragment(`#from=${elsewhere}`).returnTo, '/', elsewhere);
});
