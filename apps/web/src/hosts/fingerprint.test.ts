import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareFingerprint } from './fingerprint';

const OFFERED = 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU';
const OTHER = 'SHA256:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg';

test('the line of ssh-keygen, several of them and the bare fingerprint are compared', () => {
  assert.deepEqual(compareFingerprint(OFFERED, `256 ${OFFERED} root@lab-1 (ED25519)\n`), { kind: 'match' });
  assert.deepEqual(compareFingerprint(OFFERED, ` ${OFFERED}= `), { kind: 'match' });
  assert.deepEqual(compareFingerprint(OFFERED, `3072 ${OTHER} a (RSA)\r\n256 ${OFFERED} a (ED25519)`), {
    kind: 'match',
  });
});

test('another fingerprint is a mismatch and never a match by its beginning', () => {
  assert.deepEqual(compareFingerprint(OFFERED, `256 ${OTHER} (ED25519)`), {
    kind: 'mismatch',
    pasted: OTHER,
  });
  assert.deepEqual(compareFingerprint(OFFERED, OFFERED.slice(0, -1)), { kind: 'unreadable' });
  assert.deepEqual(compareFingerprint(OFFERED, `${OFFERED}x`), { kind: 'unreadable' });
  assert.deepEqual(compareFingerprint(OFFERED, OFFERED.toLowerCase()), { kind: 'unreadable' });
});

test('what cannot be compared is told apart from what does not match', () => {
  assert.deepEqual(compareFingerprint(OFFERED, '  \n'), { kind: 'empty' });
  assert.deepEqual(compareFingerprint(OFFERED, 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBvZ root@lab-1'), {
    kind: 'public_key',
  });
  assert.deepEqual(
    compareFingerprint(OFFERED, '256 MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48 x (ED25519)'),
    { kind: 'md5' },
  );
  assert.deepEqual(compareFingerprint(OFFERED, 'it is the right host'), { kind: 'unreadable' });
});
