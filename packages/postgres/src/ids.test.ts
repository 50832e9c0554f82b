import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIds } from './ids.js';

test('ids are a prefix and a UUIDv7, and grow also within a millisecond and when the clock steps back', () => {
  const times = [1000, 1000, 1000, 999, 1001];
  const ids = createIds(() => times.shift() ?? 1001);
  const made = Array.from({ length: 20_000 }, () => ids.next('op'));
  assert.deepEqual([...made].sort(), made);
  assert.equal(new Set(made).size, made.length);
  for (const id of made)
    assert.match(id, /^op_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.ok(made[0]?.startsWith('op_00000000-03e8-7'));
});
