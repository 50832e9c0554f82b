import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '@capstan/model';
import { schemaFaults } from './param-schema.js';

const base = ['scenario', 'params'];

test('titles and descriptions of a parameter schema are a text, or one for each language', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', title: { en: 'Name', ru: 'Имя' }, description: 'plain' },
      title: { type: 'string' },
      size: { oneOf: [{ const: 'small', title: { en: 'Small' } }] },
    },
  };
  assert.deepEqual(schemaFaults(schema, base), []);
});

test('words in no language, or in one that there is not, are refused at their place', () => {
  const titles: readonly JsonValue[] = [{ ru: 'Имя' }, { en: 'Name', de: 'Name' }, ['Name'], 3];
  for (const title of titles)
    assert.deepEqual(
      schemaFaults({ type: 'object', properties: { name: { title } } }, base).map(({ path }) =>
        path.join('.'),
      ),
      ['scenario.params.properties.name.title'],
      JSON.stringify(title),
    );
});
