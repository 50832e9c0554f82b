import { isPackText, type JsonValue, schemaInLanguage } from '@capstan/model';
import { Ajv } from 'ajv';
import { nearest } from './nearest.js';
import { patternFault } from './pattern.js';
import type { Path } from './source-document.js';

/** What is wrong with a JSON Schema inside a document. */
export interface SchemaFault {
  readonly path: Path;
  readonly detail: string;
  readonly expected: string;
}

/** Keywords of parameter and attribute schemas. Others would be a promise that nobody checks. */
const KEYWORDS = new Set([
  ...[
    'type',
    'enum',
    'const',
    'default',
    'title',
    'description',
    'examples',
    'format',
    'sensitive',
    '$comment',
  ],
  ...[
    'properties',
    'required',
    'additionalProperties',
    'propertyNames',
    'patternProperties',
    'minProperties',
    'maxProperties',
  ],
  ...['items', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  ...[
    'pattern',
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
  ],
  ...['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else', 'deprecated'],
]);
const SCHEMA_MAPS = ['properties', 'patternProperties'] as const;
const SCHEMA_LISTS = ['oneOf', 'anyOf', 'allOf'] as const;
const SCHEMAS = [
  'items',
  'additionalProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
] as const;
/** `capstan-host` is a host of the environment; the rest are the usual ones. */
const FORMATS = new Set([
  'capstan-host',
  'date',
  'time',
  'date-time',
  'duration',
  'uri',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]);

const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });

/** Everything that is wrong with a JSON Schema for parameters or attributes. */
export function schemaFaults(schema: JsonValue, base: Path): readonly SchemaFault[] {
  const faults = walk(schema, base);
  if (faults.length > 0) return faults;
  if (ajv.validateSchema(schemaInLanguage(schema, 'en') as object) === true) return [];
  return (ajv.errors ?? [])
    .filter((error) => error.keyword !== 'anyOf')
    .map((error) => ({
      path: [...base, ...error.instancePath.split('/').slice(1)],
      detail: error.message ?? 'not a JSON Schema',
      expected: 'a JSON Schema',
    }));
}

function walk(schema: JsonValue, path: Path): readonly SchemaFault[] {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return [];
  const faults: SchemaFault[] = [];
  for (const keyword of Object.keys(schema)) {
    if (KEYWORDS.has(keyword)) continue;
    const near = nearest(keyword, KEYWORDS);
    faults.push({
      path: [...path, keyword],
      detail: `the keyword ${keyword}`,
      expected: near === null ? 'a keyword of JSON Schema' : `did you mean ${near}?`,
    });
  }
  for (const words of ['title', 'description'])
    if (schema[words] !== undefined && !isPackText(schema[words]))
      faults.push({
        path: [...path, words],
        detail: `the ${words}`,
        expected: 'a text, or one for each language: {en: …, ru: …}',
      });
  const { pattern, format } = schema;
  if (typeof pattern === 'string') {
    const detail = patternFault(pattern);
    if (detail !== null)
      faults.push({ path: [...path, 'pattern'], detail, expected: 'a regular expression' });
  }
  if (typeof format === 'string' && !FORMATS.has(format))
    faults.push({
      path: [...path, 'format'],
      detail: `the format ${format}`,
      expected: `one of ${[...FORMATS].join(', ')}`,
    });
  return [...faults, ...inner(schema, path).flatMap(([part, at]) => walk(part, at))];
}

function inner(
  schema: { readonly [key: string]: JsonValue },
  path: Path,
): readonly (readonly [JsonValue, Path])[] {
  return [
    ...SCHEMA_MAPS.flatMap((key) =>
      Object.entries(schema[key] ?? {}).map(
        ([name, part]) => [part as JsonValue, [...path, key, name]] as const,
      ),
    ),
    ...SCHEMA_LISTS.flatMap((key) => {
      const parts = schema[key];
      return Array.isArray(parts) ? parts.map((part, index) => [part, [...path, key, index]] as const) : [];
    }),
    ...SCHEMAS.flatMap((key) =>
      schema[key] === undefined ? [] : [[schema[key] as JsonValue, [...path, key]] as const],
    ),
  ];
}
