import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

test('a test may be registered without await', () => {
  readFile('nothing');
});
