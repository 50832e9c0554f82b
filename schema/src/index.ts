import { readFileSync } from 'node:fs';

export type * from './documents.js';

/** Names of the schemas, as in `<name>.schema.json`; `common` holds parts that the others refer to. */
export const SCHEMA_NAMES = [
  'common',
  'intent',
  'job',
  'contract',
  'scenario',
  'plan_patch',
  'intervention',
  'customizations',
  'pack',
  'check',
  'failure',
  'test',
] as const;
export type SchemaName = (typeof SCHEMA_NAMES)[number];

/**
 * The JSON Schema of a kind of document. Read from its file rather than imported: Node 20 prints a warning for each
 * program that imports JSON.
 */
export function documentSchema(name: SchemaName): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(new URL(`../${name}.schema.json`, import.meta.url), 'utf8'));
}
