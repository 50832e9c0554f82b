import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationRangeText } from './duration-range';

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
