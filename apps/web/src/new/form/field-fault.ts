import type { JsonValue } from '@capstan/model';
import type { OutputUnit } from '@cfworker/json-schema';
import { choicesOf } from './choices';
import { listOf, type ParamsSchema, schemaOf } from './params-schema';

/** What can be wrong with a value; the words are messages of the screen, so that they exist in every language. */
export type FaultCode =
  | 'required'
  | 'type_string'
  | 'type_integer'
  | 'type_number'
  | 'type_boolean'
  | 'type_array'
  | 'type_object'
  | 'type_other'
  | 'choice'
  | 'pattern'
  | 'format'
  | 'min_length'
  | 'max_length'
  | 'minimum'
  | 'maximum'
  | 'exclusive_minimum'
  | 'exclusive_maximum'
  | 'multiple_of'
  | 'min_items'
  | 'max_items'
  | 'min_properties'
  | 'max_properties'
  | 'unique_items'
  | 'contains'
  | 'reserved'
  | 'reserved_pattern'
  | 'alternatives'
  | 'unknown_key'
  | 'invalid_json'
  | 'no_secret_reference'
  | 'nul'
  | 'other';

export interface FieldFault {
  /** Property names and list positions from the root. */
  readonly path: readonly (string | number)[];
  readonly code: FaultCode;
  readonly args: Readonly<Record<string, string | number>>;
}

/** A fault without anything to add. */
export function keyFault(path: FieldFault['path'], code: FaultCode): FieldFault {
  return { path, code, args: {} };
}

/** What the interpreter says, in our terms; `values` is what it judged. */
export function faultOf(unit: OutputUnit, params: ParamsSchema, values: JsonValue): FieldFault {
  const { keyword, keywordLocation, error } = unit;
  const path = pathOf(unit.instanceLocation, values);
  const schema = schemaOf(at(params, steps(keywordLocation).slice(0, -1)));
  const limit = schema[keyword];
  switch (keyword) {
    case 'required':
      return keyFault([...path, missingKey(error)], 'required');
    case 'type':
      return at(values, path) === null ? keyFault(path, 'required') : keyFault(path, typeFault(limit));
    case 'enum':
    case 'const':
      return keyFault(path, 'choice');
    case 'oneOf':
    case 'anyOf':
      return keyFault(path, choicesOf(schema) === null ? 'alternatives' : 'choice');
    case 'not':
      return notFault(path, schemaOf(limit));
    case 'pattern':
    case 'format':
      return { path, code: keyword, args: { expected: String(limit) } };
    case 'false':
    case 'propertyNames':
      return keyFault(path, 'unknown_key');
    case 'contains':
      return keyFault(path, 'contains');
    case 'uniqueItems':
      return keyFault(path, 'unique_items');
    default: {
      const code = LIMITS[keyword];
      return code === undefined || typeof limit !== 'number'
        ? { path, code: 'other', args: { error } }
        : { path, code, args: { limit } };
    }
  }
}

const LIMITS: Readonly<Record<string, FaultCode>> = {
  minLength: 'min_length',
  maxLength: 'max_length',
  minimum: 'minimum',
  maximum: 'maximum',
  exclusiveMinimum: 'exclusive_minimum',
  exclusiveMaximum: 'exclusive_maximum',
  multipleOf: 'multiple_of',
  minItems: 'min_items',
  maxItems: 'max_items',
  minProperties: 'min_properties',
  maxProperties: 'max_properties',
};

const TYPES: Readonly<Record<string, FaultCode>> = {
  string: 'type_string',
  integer: 'type_integer',
  number: 'type_number',
  boolean: 'type_boolean',
  array: 'type_array',
  object: 'type_object',
};

function typeFault(type: JsonValue | undefined): FaultCode {
  return (typeof type === 'string' ? TYPES[type] : undefined) ?? 'type_other';
}

function notFault(path: FieldFault['path'], refused: ParamsSchema): FieldFault {
  const values = refused.const === undefined ? listOf(refused.enum) : [refused.const];
  const names = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  if (typeof refused.pattern === 'string')
    return { path, code: 'reserved_pattern', args: { pattern: refused.pattern } };
  return { path, code: 'reserved', args: { values: names.join(', ') } };
}

/** The interpreter tells the name in its words only. */
function missingKey(error: string): string {
  return /required property "(.*)"\.$/s.exec(error)?.[1] ?? '';
}

function pathOf(pointer: string, values: JsonValue): readonly (string | number)[] {
  let value: JsonValue | undefined = values;
  return steps(pointer).map((step) => {
    const isList = Array.isArray(value);
    value = at(value, [step]);
    return isList ? Number(step) : step;
  });
}

function steps(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function at(value: JsonValue | undefined, path: readonly (string | number)[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((inner, step) => {
    if (Array.isArray(inner)) return inner[Number(step)];
    const object = schemaOf(inner);
    return Object.hasOwn(object, step) ? object[step] : undefined;
  }, value);
}
