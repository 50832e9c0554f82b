import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attentionFirst, filterOf, filterVariables } from './operation-list';
import { durationRangeText } from './remaining-time';

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

test('[UX-S3] remaining time is a range in round units of the reader, never negative', () => {
  const text = (lowSeconds: number, highSeconds: number, locale = 'en') =>
    durationRangeText({ lowSeconds, highSeconds }, locale);
  assert.equal(text(720, 720), '12 minutes');
  assert.match(text(601, 900), /^11\s?–\s?15 minutes$/);
  assert.match(text(600, 900, 'ru'), /^10–15 минут$/);
  assert.equal(text(60, 120, 'ru').endsWith('минуты'), true);
  assert.equal(text(-50, -3), '10 seconds');
  assert.match(text(12, 34), /^20\s?–\s?40 seconds$/);
  assert.equal(text(3 * 86_400, 3 * 86_400), '3 days');
  assert.equal(text(10_000, 10_000), '3 hours');
});
