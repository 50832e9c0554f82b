import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { Cleanup } from './cleanup.js';

const silent = pino({ level: 'silent' });

test('what was started is ended newest first; what still starts is ended as soon as it stands', async () => {
  const ended: string[] = [];
  const cleanup = new Cleanup(silent);
  await cleanup.started('a', Promise.resolve('a'), async (one) => void ended.push(one));
  let stand: (one: string) => void = () => undefined;
  void cleanup.started(
    'b',
    new Promise<string>((resolve) => (stand = resolve)),
    async (one) => void ended.push(one),
  );
  const over = cleanup.run();
  stand('b');
  await over;
  assert.deepEqual(ended, ['b', 'a']);
});

test('a start that was given up and goes on all the same leaves nothing running', async () => {
  const ended: string[] = [];
  const cleanup = new Cleanup(silent);
  await cleanup.run();
  await assert.rejects(
    cleanup.started('children', Promise.resolve('children'), async (one) => void ended.push(one)),
    /children was started after the stop/,
  );
  assert.deepEqual(ended, ['children']);
});
