import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inert } from './inert.js';

const ESC = '\u001b';

test('[C19] a terminal gets colours and lines, and nothing that acts on it', () => {
  assert.equal(inert(`a${ESC}[31mred${ESC}[0m\tb\r\n`), `a${ESC}[31mred${ESC}[0m\tb\r\n`);
  assert.equal(inert(`x${ESC}]0;title\u0007y`), 'xy');
  assert.equal(inert(`x${ESC}]52;c;ZXZpbA==${ESC}\\y`), 'xy');
  assert.equal(inert(`x${ESC}]8;;http://evil${ESC}\\link${ESC}]8;;${ESC}\\y`), 'xlinky');
  assert.equal(inert(`x${ESC}[2J${ESC}[1;1Hy\u0000\u0007\u009bz`), 'xyz');
  assert.equal(inert(`x${ESC}cy${ESC}Pq#0${ESC}\\z${ESC}`), 'xcyz');
  assert.equal(inert(`x${ESC}]0;never ends\nnext`), 'x\nnext');
});
