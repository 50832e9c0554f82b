import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { requireSuite } from '../../../scripts/suites.mjs';
import { openLog } from './log.js';

if (requireSuite('dev-full', existsSync('/dev/full'), 'no /dev/full here', 'Linux')) {
  test('a log file on a full disk is told once and ends nothing', (t) => {
    const data = mkdtempSync(join(tmpdir(), 'capstan-log-'));
    t.after(() => rmSync(data, { recursive: true, force: true }));
    mkdirSync(join(data, 'logs'));
    symlinkSync('/dev/full', join(data, 'logs/trial.log'));
    const told: string[] = [];
    t.mock.method(process.stderr, 'write', (text: string) => told.push(text) > 0);
    const log = openLog(data, 'trial', 'info');
    for (let line = 0; line < 3; line += 1) assert.doesNotThrow(() => log.info('a line'));
    t.mock.restoreAll();
    assert.equal(told.length, 1, told.join(''));
    assert.match(told[0] ?? '', /^trial: .+trial\.log cannot be written: ENOSPC/);
  });
}
