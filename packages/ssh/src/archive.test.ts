import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { archive } from './archive.js';

test('tar unpacks files, folders, pipes and links byte-exact, also with names over 100 bytes', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-archive-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const long = `in/${'a'.repeat(110)}`;
  const bytes = Buffer.from([0, 255, 10, 13, ...Buffer.from('ü')]);
  const made = archive([
    { kind: 'folder', path: 'in' },
    { kind: 'file', path: 'in/x', bytes },
    { kind: 'file', path: long, bytes: Buffer.alloc(1024, 7), mode: 0o700 },
    { kind: 'file', path: 'empty', bytes: new Uint8Array(0) },
    { kind: 'pipe', path: 'p.pipe' },
    { kind: 'link', path: 'in/l', to: `../${long}` },
  ]);
  const unpacked = spawnSync('tar', ['-x', '-m', '-p', '--no-same-owner', '-f', '-', '-C', folder], {
    input: Buffer.concat(made),
    encoding: 'utf8',
  });
  assert.deepEqual([unpacked.status, unpacked.stderr], [0, '']);
  const mode = (path: string): string => (lstatSync(join(folder, path)).mode & 0o7777).toString(8);
  assert.deepEqual(readFileSync(join(folder, 'in/x')), bytes);
  assert.deepEqual(['in', 'in/x', long, 'empty'].map(mode), ['700', '600', '700', '600']);
  assert.ok(lstatSync(join(folder, 'p.pipe')).isFIFO());
  assert.equal(readlinkSync(join(folder, 'in/l')), `../${long}`);
  assert.deepEqual(readFileSync(join(folder, 'in/l')), Buffer.alloc(1024, 7));
});
