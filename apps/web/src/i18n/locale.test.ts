import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseLocale } from './locale';

test('[UX-X5] the language is the one chosen, else the first accepted one that there is, else English', () => {
  assert.equal(chooseLocale('ru', 'en'), 'ru');
  assert.equal(chooseLocale(undefined, 'de, ru-RU;q=0.8, en;q=0.5'), 'ru');
  assert.equal(chooseLocale('xx', 'en;q=0.4, ru;q=0.9'), 'ru');
  assert.equal(chooseLocale(undefined, 'ru;q=0, de'), 'en');
  assert.equal(chooseLocale(undefined, null), 'en');
});
