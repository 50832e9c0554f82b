import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import ssh2 from 'ssh2';
import { fingerprintOf, keptKeyPair, replaceKeyPair } from './keys.js';

test('a key pair is made once, kept with 0600, and replaced only when asked', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-keys-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'sub', 'host_key');
  const made = keptKeyPair(file);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(keptKeyPair(file), made);
  assert.notEqual(replaceKeyPair(file).publicKey, made.publicKey);
});

test('a fingerprint is the one that OpenSSH prints', () => {
  const line = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl github.com';
  assert.equal(fingerprintOf(line), 'SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU');
});

test('every pair that is made can be read back, the rare short ones too', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-keys-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (let n = 0; n < 400; n++) {
    const { privateKey, publicKey } = replaceKeyPair(join(folder, 'key'));
    for (const half of [privateKey, publicKey]) assert.ok(!(ssh2.utils.parseKey(half) instanceof Error));
  }
});
