import type { JsonValue } from '@capstan/model';
import { type ParamsSchema, requiredOf, schemaOf } from './params-schema';
import { fieldKind } from './present-parameters';

/** The parameters before anybody touched the form: the scenario's defaults, 0, false and "" among them, and nothing else. */
export function initialParameters(params: ParamsSchema): Readonly<Record<string, JsonValue>> {
  const required = requiredOf(params);
  return Object.fromEntries(
    Object.entries(schemaOf(params.properties)).flatMap(([name, property]) => {
      const value = initialValue(schemaOf(property), required.has(name));
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Defaults inside an object that may be left out would put the object there, so only those of required ones are taken. */
function initialValue(schema: ParamsSchema, required: boolean): JsonValue | undefined {
  if (schema.default !== undefined) return schema.default;
  if (!required || fieldKind(schema) !== 'object') return undefined;
  const inner = initialParameters(schema);
  return Object.keys(inner).length > 0 ? { ...inner } : undefined;
}
