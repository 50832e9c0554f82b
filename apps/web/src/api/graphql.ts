import type { JsonValue } from '@capstan/model';
import { initGraphQLTada } from 'gql.tada';
import type { introspection } from './schema-types.js';

/**
 * Makes a typed document: its result and variables are inferred from schema/schema.graphql. Ids and dates are
 * strings, `Sequence` and `ByteOffset` are whole numbers up to 2^53−1.
 */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { ByteOffset: number; DateTime: string; JSON: JsonValue; Sequence: number };
  disableMasking: true;
}>();

export type { ResultOf, VariablesOf } from 'gql.tada';
