import type { JsonValue } from '@capstan/model';
import { listOf, type ParamsSchema, schemaOf } from './params-schema';

/** One of the values that a parameter may have. */
export interface Choice {
  readonly value: JsonValue;
  readonly label: string;
  readonly description: string | null;
}

/** The values of a parameter that is a choice of constants: `enum`, or `oneOf`/`anyOf` of `const`; null for any other. */
export function choicesOf(schema: ParamsSchema): readonly Choice[] | null {
  if (Array.isArray(schema.enum))
    return schema.enum.map((value) => ({ value, label: labelOf(value), description: null }));
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const options = listOf(schema[keyword]).map(schemaOf);
    const constant = options.every((option) => option.const !== undefined || single(option.enum));
    if (options.length > 0 && constant) return options.map(choice);
  }
  return null;
}

function choice(option: ParamsSchema): Choice {
  const value = option.const ?? listOf(option.enum)[0] ?? null;
  return {
    value,
    label: typeof option.title === 'string' ? option.title : labelOf(value),
    description: typeof option.description === 'string' ? option.description : null,
  };
}

function single(values: JsonValue | undefined): boolean {
  return Array.isArray(values) && values.length === 1;
}

function labelOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
