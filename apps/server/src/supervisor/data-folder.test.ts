import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDataFolder, readServerFile, writeServerFile } from './data-folder.js';
import { identityOf } from './process-identity.js';

function folder(t: { after(act: () => void): void }): string {
  const made = mkdtempSync(join(tmpdir(), 'capstan-data-'));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return join(made, 'data');
}

test('the folder is held by one process, which the second one names together with its address', (t) => {
  const data = folder(t);
  const first = openDataFolder(data);
  assert.equal(first.kind, 'opened');
  const server = { url: 'http://127.0.0.1:4400/', pid: process.pid, tokenFile: join(data, 'token') };
  writeServerFile(data, server);
  assert.equal(statSync(join(data, 'server.json')).mode & 0o777, 0o600);
  assert.deepEqual(openDataFolder(data), { kind: 'held', by: process.pid, server });
  if (first.kind === 'opened') first.release();
  assert.equal(openDataFolder(data).kind, 'opened');
});

test('the lock and the address of a killed start do not stand in the way', (t) => {
  const data = folder(t);
  const first = openDataFolder(data);
  assert.equal(first.kind, 'opened');
  const alive = identityOf(process.pid);
  assert.notEqual(alive, null);
  // The same pid, another start time: what a reused pid looks like.
  writeFileSync(join(data, 'supervisor.lock'), JSON.stringify({ pid: process.pid, started: '1' }));
  writeServerFile(data, { url: 'http://127.0.0.1:4400/', pid: 1, tokenFile: '' });
  assert.equal(openDataFolder(data).kind, 'opened');
  assert.equal(readServerFile(data), null);
  assert.equal(JSON.parse(readFileSync(join(data, 'supervisor.lock'), 'utf8')).pid, process.pid);
});

test('a torn lock file is taken over', (t) => {
  const data = folder(t);
  assert.equal(openDataFolder(data).kind, 'opened');
  writeFileSync(join(data, 'supervisor.lock'), '{"pid":');
  assert.equal(openDataFolder(data).kind, 'opened');
});

test('a file in the place of the folder is one clear line', (t) => {
  const data = folder(t);
  writeFileSync(data, '');
  const got = openDataFolder(data);
  assert.equal(got.kind, 'unusable');
  assert.match(got.kind === 'unusable' ? got.line : '', /is not a folder: name another one in CAPSTAN_DATA$/);
});
