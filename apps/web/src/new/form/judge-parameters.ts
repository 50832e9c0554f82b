import type { JsonValue } from '@capstan/model';
import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import { type FieldFault, faultOf, keyFault } from './field-fault';
import { invalidJsonText } from './invalid-json';
import { type ParamsSchema, schemaOf } from './params-schema';

/**
 * Everything that is wrong with the parameters under the scenario's own schema, one fault a place: the first one is
 * nearest to the cause. An interpreter judges: the page's policy forbids validators that write code, such as Ajv's.
 */
export function judgeParameters(
  params: ParamsSchema,
  values: Readonly<Record<string, JsonValue>>,
): readonly FieldFault[] {
  const own = ownFaults(params, values, []);
  const units = leaves(judge(params).validate(values).errors);
  const judged = units.map((unit) => faultOf(unit, params, values));
  const kept = new Map<string, FieldFault>();
  for (const fault of [...own, ...judged]) {
    const covered = fault.path.some((_, depth) => kept.has(keyOf(fault.path.slice(0, depth))));
    if (!covered && !kept.has(keyOf(fault.path))) kept.set(keyOf(fault.path), fault);
  }
  return [...kept.values()];
}

const judges = new WeakMap<ParamsSchema, Validator>();

function judge(params: ParamsSchema): Validator {
  const known = judges.get(params);
  if (known !== undefined) return known;
  const made = new Validator(withoutSecrets({ type: 'object', ...params }) as Schema, '7', false);
  judges.set(params, made);
  return made;
}

/** A secret is a reference wherever the schema says a text, so the schema has no say on it. */
function withoutSecrets(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(withoutSecrets);
  if (schema === null || typeof schema !== 'object') return schema;
  if (schema.sensitive === true) return {};
  return Object.fromEntries(Object.entries(schema).map(([keyword, part]) => [keyword, withoutSecrets(part)]));
}

/** What no JSON Schema can say: unread JSON, U+0000, and a secret that is no reference. */
function ownFaults(schema: ParamsSchema, value: JsonValue, path: FieldFault['path']): readonly FieldFault[] {
  if (invalidJsonText(value) !== null) return [keyFault(path, 'invalid_json')];
  if (typeof value === 'string' && value.includes('\0')) return [keyFault(path, 'nul')];
  if (schema.sensitive === true) return isReference(value) ? [] : [keyFault(path, 'no_secret_reference')];
  if (Array.isArray(value))
    return value.flatMap((item, index) => ownFaults(schemaOf(schema.items), item, [...path, index]));
  if (value === null || typeof value !== 'object') return [];
  const properties = schemaOf(schema.properties);
  return Object.entries(value).flatMap(([name, item]) =>
    ownFaults(schemaOf(properties[name]), item, [...path, name]),
  );
}

function isReference(value: JsonValue): boolean {
  const entries = Object.entries(schemaOf(value));
  const [only, another] = entries;
  return (
    only !== undefined &&
    another === undefined &&
    ['secret', 'artifact'].includes(only[0]) &&
    typeof only[1] === 'string' &&
    only[1].trim() !== ''
  );
}

/** They only say that something below is wrong. */
const CONTAINERS = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'items', 'allOf', 'if', '$ref'],
]);
/** What is below them is no fault by itself: it belongs to an alternative that was not meant. */
const CLOSED = new Set(['anyOf', 'oneOf', 'contains', 'propertyNames']);

function leaves(units: readonly OutputUnit[]): readonly OutputUnit[] {
  const closed = units.filter(({ keyword }) => CLOSED.has(keyword)).map((unit) => `${unit.keywordLocation}/`);
  return units.filter(
    ({ keyword, keywordLocation }) =>
      !CONTAINERS.has(keyword) && !closed.some((prefix) => keywordLocation.startsWith(prefix)),
  );
}

function keyOf(path: FieldFault['path']): string {
  return JSON.stringify(path);
}
