import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPackText, schemaInLanguage } from './schema-words.js';

test('[UX-X4] titles and descriptions of a schema are given in one language, wherever they stand', () => {
  const schema = {
    type: 'object',
    title: { en: 'All', ru: 'Всё' },
    default: { title: { en: 'data, no words' } },
    properties: {
      title: { type: 'string', title: { en: 'Heading', ru: 'Заголовок' } },
      size: {
        oneOf: [
          { const: 1, title: { en: 'One', ru: 'Один' } },
          { const: 2, title: 'Two' },
        ],
      },
      list: { type: 'array', items: { description: { en: 'only English' } } },
    },
  };
  assert.deepEqual(schemaInLanguage(schema, 'ru'), {
    type: 'object',
    title: 'Всё',
    default: { title: { en: 'data, no words' } },
    properties: {
      title: { type: 'string', title: 'Заголовок' },
      size: {
        oneOf: [
          { const: 1, title: 'Один' },
          { const: 2, title: 'Two' },
        ],
      },
      list: { type: 'array', items: { description: 'only English' } },
    },
  });
  assert.equal(JSON.stringify(schemaInLanguage(schema, 'en')).includes('"title":"Heading"'), true);
  assert.equal(schemaInLanguage(true, 'ru'), true);
});

test('words are a string, or English and perhaps Russian', () => {
  assert.equal(isPackText('a'), true);
  assert.equal(isPackText({ en: 'a', ru: 'б' }), true);
  assert.equal(isPackText({ ru: 'б' }), false);
  assert.equal(isPackText({ en: 'a', de: 'b' }), false);
  assert.equal(isPackText({ en: 1 }), false);
  assert.equal(isPackText(null), false);
});
