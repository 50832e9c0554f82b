import type { JsonValue } from '@capstan/model';
import { canonicalJson } from '@capstan/model';
import { expectedName } from './nearest.js';

/** One thing that is wrong with a value. `path` is dotted, from the name the value has for a person. */
export interface SchemaFault {
  readonly kind: 'unknown' | 'missing' | 'invalid' | 'nul' | 'unsupported' | 'unknown_host';
  readonly path: string;
  readonly expected: string;
  /** What stood there, cut short; empty for sensitive values. */
  readonly found: string;
}

export interface SchemaOptions {
  /** Refuse properties that the schema does not name, unless it says `additionalProperties`: parameters are always strict (S36). */
  readonly strict: boolean;
  /** Names that are given by reference and have no value yet: they satisfy `required`. */
  readonly given?: ReadonlySet<string>;
  /** Hosts that `format: capstan-host` may name. */
  readonly hosts?: readonly string[];
}

type Schema = Readonly<Record<string, JsonValue>>;

const ANNOTATIONS = new Set([
  'title', 'description', 'default', 'examples', 'format', 'sensitive', 'deprecated', 'readOnly', 'writeOnly', '$schema', '$id', '$comment',
]);
const KEYWORDS = new Set([
  'type', 'properties', 'required', 'additionalProperties', 'enum', 'const', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum',
  'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'items', 'minItems', 'maxItems', 'uniqueItems', 'oneOf', 'anyOf', 'allOf',
]);
const PATTERN_INPUT = 4096;
const DEPTH = 64;

/**
 * Checks a value against the part of JSON Schema that packs use and fills in defaults. Own code and not a library: the
 * planner runs in browsers and worker threads without code generation, needs defaults inside the same walk, and must
 * refuse a keyword it does not know instead of ignoring a constraint.
 */
export function applySchema(schema: JsonValue | undefined, value: JsonValue, path: string, options: SchemaOptions): { readonly value: JsonValue; readonly faults: readonly SchemaFault[] } {
  const faults: SchemaFault[] = nulFaults(value, path, 0);
  if (faults.length > 0) return { value, faults };
  const checked = walk(schema ?? true, value, path, options, faults, 0);
  return { value: checked, faults };
}

/** Every place below a value that holds U+0000: no file name, environment or PostgreSQL text can carry it. */
export function nulFaults(value: JsonValue, path: string, depth = 0): SchemaFault[] {
  const fault: SchemaFault = { kind: 'nul', path, expected: 'text without U+0000', found: '' };
  if (depth > DEPTH) return [{ kind: 'invalid', path, expected: `at most ${DEPTH} levels`, found: '' }];
  if (typeof value === 'string') return value.includes('\0') ? [fault] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => nulFaults(item, `${path}[${index}]`, depth + 1));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) => (key.includes('\0') ? [fault] : nulFaults(item, join(path, key), depth + 1)));
}

function walk(schema: JsonValue, value: JsonValue, path: string, options: SchemaOptions, faults: SchemaFault[], depth: number): JsonValue {
  if (schema === true || schema === null) return value;
  if (typeof schema !== 'object' || Array.isArray(schema)) {
    faults.push({ kind: 'invalid', path, expected: 'nothing here', found: shown(value) });
    return value;
  }
  const sensitive = schema['sensitive'] === true;
  const fail = (expected: string, kind: SchemaFault['kind'] = 'invalid'): void => {
    faults.push({ kind, path, expected, found: sensitive ? '' : shown(value) });
  };
  for (const keyword of Object.keys(schema)) {
    if (!KEYWORDS.has(keyword) && !ANNOTATIONS.has(keyword)) fail(`a schema without the keyword "${keyword}"`, 'unsupported');
  }
  if (sensitive) fail('{secret: REF} or {artifact: REF}: a sensitive value never stands in a document', 'unsupported');
  if (!typeMatches(schema['type'], value)) {
    fail(`type ${[schema['type']].flat().join(' or ')}`);
    return value;
  }
  scalarFaults(schema, value, options, fail);
  let checked = value;
  if (Array.isArray(checked)) checked = walkArray(schema, checked, path, options, faults, fail, depth);
  else if (checked !== null && typeof checked === 'object') checked = walkObject(schema, checked, path, options, faults, depth);
  return walkAlternatives(schema, checked, path, options, faults, fail, depth);
}

function walkObject(schema: Schema, value: Schema, path: string, options: SchemaOptions, faults: SchemaFault[], depth: number): JsonValue {
  const properties = object(schema['properties']);
  const alternatives = [schema['allOf'], schema['anyOf'], schema['oneOf']].flatMap(list).flatMap((part) => Object.keys(object(object(part)['properties'])));
  const additional = (key: string): JsonValue =>
    schema['additionalProperties'] ?? (!options.strict || depth > 0 || alternatives.includes(key));
  const entries: [string, JsonValue][] = [];
  for (const [key, item] of Object.entries(value)) {
    const at = join(path, key);
    if (Object.hasOwn(properties, key)) entries.push([key, walk(properties[key] as JsonValue, item, at, options, faults, depth + 1)]);
    else if (additional(key) === false) faults.push({ kind: 'unknown', path: at, expected: expectedName(key, Object.keys(properties)), found: '' });
    else entries.push([key, walk(additional(key), item, at, options, faults, depth + 1)]);
  }
  for (const [key, property] of Object.entries(properties)) {
    if (Object.hasOwn(value, key)) continue;
    const preset = object(property)['default'];
    // The default is walked too: a pack's own default must keep the pack's own schema.
    if (preset !== undefined && !(depth === 0 && options.given?.has(key))) {
      entries.push([key, walk(property, preset, join(path, key), options, faults, depth + 1)]);
    }
  }
  const have = new Set(entries.map(([key]) => key));
  for (const key of list(schema['required'])) {
    if (typeof key !== 'string' || have.has(key) || Object.hasOwn(value, key) || (depth === 0 && options.given?.has(key))) continue;
    faults.push({ kind: 'missing', path: join(path, key), expected: describe(properties[key]), found: '' });
  }
  return Object.fromEntries(entries);
}

function walkArray(schema: Schema, value: JsonValue[], path: string, options: SchemaOptions, faults: SchemaFault[], fail: (expected: string) => void, depth: number): JsonValue {
  const { minItems, maxItems } = schema;
  if (typeof minItems === 'number' && value.length < minItems) fail(`at least ${minItems} items`);
  if (typeof maxItems === 'number' && value.length > maxItems) fail(`at most ${maxItems} items`);
  if (schema['uniqueItems'] === true && new Set(value.map(canonicalJson)).size < value.length) fail('no item twice');
  const items = schema['items'];
  return items === undefined ? value : value.map((item, index) => walk(items, item, `${path}[${index}]`, options, faults, depth + 1));
}

function walkAlternatives(schema: Schema, value: JsonValue, path: string, options: SchemaOptions, faults: SchemaFault[], fail: (expected: string) => void, depth: number): JsonValue {
  let checked = value;
  for (const part of list(schema['allOf'])) checked = walk(part, checked, path, { ...options, strict: false }, faults, depth);
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const parts = list(schema[keyword]);
    if (parts.length === 0) continue;
    const fitting = parts.flatMap((part) => {
      const found: SchemaFault[] = [];
      const result = walk(part, checked, path, { ...options, strict: false }, found, depth);
      return found.length === 0 ? [result] : [];
    });
    const wanted = keyword === 'anyOf' ? fitting.length > 0 : fitting.length === 1;
    if (wanted) checked = fitting[0] as JsonValue;
    else fail(`${keyword === 'anyOf' ? 'one' : 'exactly one'} of: ${parts.map(describe).join('; ')}`);
  }
  return checked;
}

function scalarFaults(schema: Schema, value: JsonValue, options: SchemaOptions, fail: (expected: string, kind?: SchemaFault['kind']) => void): void {
  const allowed = schema['enum'];
  if (Array.isArray(allowed) && !allowed.some((each) => canonicalJson(each) === canonicalJson(value))) fail(`one of: ${allowed.map(shown).join(', ')}`);
  const constant = schema['const'];
  if (constant !== undefined && canonicalJson(constant) !== canonicalJson(value)) fail(shown(constant));
  if (typeof value === 'number') numberFaults(schema, value, fail);
  if (typeof value === 'string') stringFaults(schema, value, options, fail);
}

function numberFaults(schema: Schema, value: number, fail: (expected: string) => void): void {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) fail('an integer that JSON can carry exactly');
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === 'number' && value < minimum) fail(`at least ${minimum}`);
  if (typeof maximum === 'number' && value > maximum) fail(`at most ${maximum}`);
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) fail(`more than ${exclusiveMinimum}`);
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) fail(`less than ${exclusiveMaximum}`);
  if (typeof multipleOf === 'number' && multipleOf > 0 && !Number.isInteger(value / multipleOf)) fail(`a multiple of ${multipleOf}`);
}

function stringFaults(schema: Schema, value: string, options: SchemaOptions, fail: (expected: string, kind?: SchemaFault['kind']) => void): void {
  const { minLength, maxLength, pattern, format } = schema;
  const length = [...value].length;
  if (typeof minLength === 'number' && length < minLength) fail(`at least ${minLength} characters`);
  if (typeof maxLength === 'number' && length > maxLength) fail(`at most ${maxLength} characters`);
  if (typeof pattern === 'string') {
    const expression = compile(pattern);
    if (expression === null) fail(`a schema with a readable pattern instead of ${pattern}`, 'unsupported');
    // A backtracking pattern is bounded by the text it sees here and by the deadline of the planning thread.
    else if (value.length > PATTERN_INPUT || !expression.test(value)) fail(`text that matches ${pattern}`);
  }
  if (format === 'capstan-host' && options.hosts !== undefined && !options.hosts.includes(value.replace(/^node\//, ''))) {
    fail(expectedName(value, options.hosts), 'unknown_host');
  }
}

function compile(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return null;
  }
}

function typeMatches(type: JsonValue | undefined, value: JsonValue): boolean {
  const types = type === undefined ? [] : [type].flat();
  return types.length === 0 || types.some((each) => each === typeOf(value) || (each === 'number' && typeOf(value) === 'integer'));
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function describe(schema: JsonValue | undefined): string {
  const { type, enum: allowed, const: constant, pattern } = object(schema);
  if (Array.isArray(allowed)) return `one of: ${allowed.map(shown).join(', ')}`;
  if (constant !== undefined) return shown(constant);
  const kind = type === undefined ? 'a value' : `type ${[type].flat().join(' or ')}`;
  return typeof pattern === 'string' ? `${kind} that matches ${pattern}` : kind;
}

function shown(value: JsonValue): string {
  const written = JSON.stringify(value);
  return written.length > 80 ? `${written.slice(0, 79)}…` : written;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function object(value: JsonValue | undefined): Schema {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
