import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneAtATime } from './one-at-a-time';

test('asked while it runs it runs once more, beginning after the last request; never two at once', async () => {
  const ends: (() => void)[] = [];
  let atOnce = 0;
  const ask = oneAtATime(async () => {
    atOnce++;
    assert.equal(atOnce, 1);
    await new Promise<void>((resolve) => ends.push(resolve));
    atOnce--;
  });
  const first = ask();
  void ask();
  const third = ask();
  assert.equal(ends.length, 1);
  ends[0]?.();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(ends.length, 2);
  ends[1]?.();
  await Promise.all([first, third]);
  assert.equal(ends.length, 2);
  void ask();
  assert.equal(ends.length, 3);
});

test('a failure is told to who asked, and does not keep the next one from running', async () => {
  let runs = 0;
  const ask = oneAtATime(() => {
    runs++;
    return runs === 1 ? Promise.reject(new Error('no')) : Promise.resolve();
  });
  await assert.rejects(ask(), /no/);
  await ask();
  assert.equal(runs, 2);
});
