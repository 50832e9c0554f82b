import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attentionFirst, filterOf, filterVariables } from './operation-list';

const operation = (id: string, status: string, needsAttention = 0) => ({
  id,
  status,
  progress: { needsAttention },
});

test('[UX-S4] what waits for a person is listed first, then what runs, then what is over', () => {
  const listed = attentionFirst([
    operation('a', 'succeeded'),
    operation('b', 'running'),
    operation('c', 'needs_attention', 1),
    operation('d', 'running', 2),
    operation('e', 'failed'),
    operation('f', 'some_new_status'),
    operation('c', 'needs_attention', 1),
  ]);
  assert.deepEqual(
    listed.map(({ id }) => id),
    ['c', 'd', 'b', 'f', 'a', 'e'],
  );
});

test('the filter comes from the URL, and one that is unknown shows everything', () => {
  assert.equal(filterOf('attention'), 'attention');
  assert.equal(filterOf('nonsense'), 'all');
  assert.equal(filterOf(null), 'all');
  assert.deepEqual(filterVariables('all'), {});
  assert.deepEqual(filterVariables('attention'), { needsAttention: true });
  assert.equal(filterVariables('running').status?.includes('succeeded'), false);
});
