import type { JsonValue } from '@capstan/model';

/** A JSON Schema of parameters, as a scenario gives it. */
export type ParamsSchema = Readonly<Record<string, JsonValue>>;

/** What one value of the form can be while it is edited: JSON, or nothing yet. */
export type FormValue = JsonValue | undefined;

/** The value if it is an object, else an empty one. */
export function schemaOf(value: FormValue): ParamsSchema {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
}

/** The value if it is a list, else an empty one. */
export function listOf(value: FormValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** Names of the properties that must be there. */
export function requiredOf(schema: ParamsSchema): ReadonlySet<string> {
  return new Set(listOf(schema.required).filter((name): name is string => typeof name === 'string'));
}

/** The schema's one type; null where it has none or several. */
export function typeOf(schema: ParamsSchema): string | null {
  return typeof schema.type === 'string' ? schema.type : null;
}
