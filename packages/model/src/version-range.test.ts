import assert from 'node:assert/strict';
import { test } from 'node:test';
import { versionInRange } from './version-range.js';

test('[S19] a requirement range is matched against the version as hosts report it', () => {
  assert.equal(versionInRange('1.31', '>=1.20'), true);
  assert.equal(versionInRange('v1.19.4+k3s1', '>=1.20'), false);
  assert.equal(versionInRange('15.17 (Debian 15.17-0+deb12u1)', '^15'), true);
  assert.equal(versionInRange('unknown', '>=1'), null);
  assert.equal(versionInRange('1.0.0', 'newest'), null);
});
