import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relativeParts } from './relative-parts';

test('[UX-X6] a distance is told in the largest unit that holds it once', () => {
  const now = Date.parse('2026-11-30T12:00:00Z');
  const before = (ms: number) => relativeParts(now - ms, now);
  assert.deepEqual(before(3_000), { value: 0, unit: 'second' });
  assert.deepEqual(before(42_000), { value: -42, unit: 'second' });
  assert.deepEqual(before(119_000), { value: -1, unit: 'minute' });
  assert.deepEqual(before(2 * 3_600_000), { value: -2, unit: 'hour' });
  assert.deepEqual(before(50 * 3_600_000), { value: -2, unit: 'day' });
  assert.deepEqual(relativeParts(now + 600_000, now), { value: 10, unit: 'minute' });
});
