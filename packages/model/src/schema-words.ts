import type { JsonValue, PackText } from './text.js';
import { packText } from './text.js';

const SCHEMA_MAPS = ['properties', 'patternProperties'];
const SCHEMA_LISTS = ['oneOf', 'anyOf', 'allOf'];
const SCHEMAS = ['items', 'additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else'];
const WORDS = ['title', 'description'];

/** A schema of a pack with its titles and descriptions in one language: a JSON Schema as every other reader knows it. */
export function schemaInLanguage(schema: JsonValue, locale: 'en' | 'ru'): JsonValue {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, inLanguage(keyword, value, locale)]),
  );
}

/** Whether a title or a description says something in English, and in nothing but the languages that there are. */
export function isPackText(value: JsonValue | undefined): value is string | { en: string; ru?: string } {
  if (typeof value === 'string') return true;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    typeof value.en === 'string' &&
    entries.every(([language, words]) => ['en', 'ru'].includes(language) && typeof words === 'string')
  );
}

function inLanguage(keyword: string, value: JsonValue, locale: 'en' | 'ru'): JsonValue {
  if (WORDS.includes(keyword)) return isPackText(value) ? packText(value as PackText, locale) : value;
  if (SCHEMAS.includes(keyword)) return schemaInLanguage(value, locale);
  if (SCHEMA_LISTS.includes(keyword) && Array.isArray(value))
    return value.map((part) => schemaInLanguage(part, locale));
  if (SCHEMA_MAPS.includes(keyword) && value !== null && typeof value === 'object' && !Array.isArray(value))
    // A parameter may well be named `title`: names are no keywords.
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, schemaInLanguage(part, locale)]),
    );
  return value;
}
