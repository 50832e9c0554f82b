import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockDataFolder } from './data-lock.js';

test('one process has the folder; a lock left by a dead one, a reused pid or a torn write is taken over', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-lock-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'lab.lock');
  const unlock = lockDataFolder(folder);
  assert.throws(() => lockDataFolder(folder), new RegExp(`run by process ${process.pid}`));
  unlock();
  for (const left of [`{"pid":${process.pid},"startTime":"1"}`, '{"pid":4194304,"startTime":"1"}', '{"pi']) {
    writeFileSync(file, left);
    lockDataFolder(folder)();
  }
});
