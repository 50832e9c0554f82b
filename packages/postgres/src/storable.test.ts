import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonText, storable } from './storable.js';

test('what PostgreSQL cannot hold becomes an escape, everything else stays', () => {
  for (const text of ['', 'plain', 'Ünïcödé \u{1f600}\u{10ffff}', 'a\tb\r\n\u001b[0m\u007f'])
    assert.equal(storable(text), text);
  assert.equal(storable('\u0000'), '\\u0000');
  assert.equal(storable('\ud83d'), '\\ud83d');
  assert.equal(storable('\ude00'), '\\ude00');
  assert.equal(storable('\ude00\ud83d'), '\\ude00\\ud83d');
  assert.equal(storable('\ud83d\ud83d\ude00'), '\\ud83d\u{1f600}');
  assert.equal(storable('a\u0000\u0000b').length, 14);
});

test('documents keep them as escapes of their own', () => {
  assert.equal(jsonText({ a: '\u0000\ud800' }), '{"a":"\\u0000\\ud800"}');
  assert.equal(jsonText(null), null);
});
