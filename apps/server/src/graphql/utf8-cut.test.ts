import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutAtCharacter } from './utf8-cut.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a character is never cut, wherever the page ends', () => {
  const whole = bytes('aé€😀z');
  for (let end = 0; end <= whole.length; end += 1) {
    const cut = cutAtCharacter(whole.subarray(0, end));
    assert.doesNotThrow(() => new TextDecoder('utf-8', { fatal: true }).decode(cut), `page of ${end} bytes`);
    assert.ok(end - cut.length < 4);
  }
  assert.equal(cutAtCharacter(whole).length, whole.length);
});

test('bytes that are no UTF-8 do not hold back a page for ever', () => {
  assert.equal(cutAtCharacter(Uint8Array.of(0x61, 0xff)).length, 2);
  assert.equal(cutAtCharacter(Uint8Array.of(0x80, 0x80, 0x80, 0x80)).length, 4);
  assert.equal(cutAtCharacter(Uint8Array.of(0xc0)).length, 1);
});
