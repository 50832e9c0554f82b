import type { JsonValue } from '@capstan/model';
import { type FormValue, requiredOf, schemaOf } from './params-schema';
import type { FieldLayout } from './present-parameters';

/** The parameters that a form says: without keys that nobody filled in, and without objects in which nothing is. */
export function tidyParameters(
  layout: FieldLayout,
  values: Readonly<Record<string, FormValue>>,
): Readonly<Record<string, JsonValue>> {
  const required = requiredOf(layout.source);
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = layout.properties?.[name];
      const tidy = field === undefined ? value : tidyValue(field, value, required.has(name));
      return tidy === undefined ? [] : [[name, tidy]];
    }),
  );
}

function tidyValue(field: FieldLayout, value: FormValue, required: boolean): FormValue {
  if (field.kind === 'object' && value !== null && typeof value === 'object' && !Array.isArray(value)) {
    const inner = { ...tidyParameters(field, schemaOf(value)) };
    return Object.keys(inner).length > 0 || required ? inner : undefined;
  }
  if (field.kind === 'list' && Array.isArray(value)) {
    const { items } = field;
    // A row that was added and not filled in stays: it is judged as missing, not dropped without a word.
    return items === undefined ? value : value.map((item) => tidyValue(items, item, true) ?? null);
  }
  return value;
}
