import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runAlone } from './alone.js';

const data = mkdtempSync(join(tmpdir(), 'capstan-alone-'));
after(() => rmSync(data, { recursive: true, force: true }));

test('a role alone ends on TERM, also when its stop never does', async () => {
  process.env.DATABASE_URL = 'postgres://capstan:x@127.0.0.1:1/capstan';
  process.env.CAPSTAN_DATA = data;
  for (const [stop, code] of [
    [Promise.resolve(), 0],
    [new Promise<void>(() => undefined), 1],
  ] as const) {
    const ended = runAlone('worker', () => Promise.resolve({ stop: () => stop }), 50);
    await new Promise((resolve) => setImmediate(resolve));
    process.emit('SIGTERM');
    assert.equal(await ended, code);
  }
});
