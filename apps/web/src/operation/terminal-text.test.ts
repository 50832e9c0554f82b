import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyColours, plainText } from './terminal-text';

test('what is shown keeps its colours; what is copied holds nothing that acts on a terminal', () => {
  const output = '\x1b]0;title\x07\x1b[2J\x1b[31mred\x1b[0m\tend\x08\n\x1b[38:5:1mnext\x1b';
  assert.equal(onlyColours(output), '\x1b[31mred\x1b[0m\tend\n\x1b[38:5:1mnext\x1b');
  assert.equal(plainText(output), 'red\tend\nnext');
});
