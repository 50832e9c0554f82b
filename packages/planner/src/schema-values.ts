import type { JsonValue } from '@capstan/model';
import { canonicalJson } from '@capstan/model';
import { FORMATS } from './formats.js';

export type Schema = Readonly<Record<string, JsonValue>>;

/** What a single value would have to be, one sentence part for each keyword that it does not keep. */
export function valueExpectations(schema: Schema, value: JsonValue): readonly string[] {
  const { enum: allowed, const: constant } = schema;
  const same = (other: JsonValue): boolean => canonicalJson(other) === canonicalJson(value);
  return [
    ...(Array.isArray(allowed) && !allowed.some(same) ? [`one of: ${allowed.map(shown).join(', ')}`] : []),
    ...(constant !== undefined && !same(constant) ? [shown(constant)] : []),
    ...(typeof value === 'number' ? numberExpectations(schema, value) : []),
    ...(typeof value === 'string' ? stringExpectations(schema, value) : []),
  ];
}

/** Whether the value has one of the schema's types; an integer is a number too. */
export function typeMatches(type: JsonValue | undefined, value: JsonValue): boolean {
  const types = type === undefined ? [] : [type].flat();
  const own = typeOf(value);
  return types.length === 0 || types.some((each) => each === own || (each === 'number' && own === 'integer'));
}

/** A schema in a few words, for what is missing and for alternatives. */
export function describe(schema: JsonValue | undefined): string {
  const { type, enum: allowed, const: constant, pattern } = objectOf(schema);
  if (Array.isArray(allowed)) return `one of: ${allowed.map(shown).join(', ')}`;
  if (constant !== undefined) return shown(constant);
  const kind = type === undefined ? 'a value' : `type ${[type].flat().join(' or ')}`;
  return typeof pattern === 'string' ? `${kind} that matches ${pattern}` : kind;
}

/** A value as it is quoted back, cut short. */
export function shown(value: JsonValue): string {
  const written = JSON.stringify(value);
  return written.length > 80 ? `${written.slice(0, 79)}…` : written;
}

/** The value if it is an object, else an empty one. */
export function objectOf(value: JsonValue | undefined): Schema {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
}

/** The value if it is a list, else an empty one. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** A pattern as an expression, or null when it cannot be read. */
export function compilePattern(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return null;
  }
}

/** A backtracking pattern is bounded by the text that it sees, and by the deadline of the planning thread. */
const PATTERN_INPUT = 4096;

/** Whether a text matches; one that is too long to try does not. */
export function matches(pattern: string, text: string): boolean {
  return text.length <= PATTERN_INPUT && compilePattern(pattern)?.test(text) === true;
}

function numberExpectations(schema: Schema, value: number): readonly string[] {
  const expected: string[] = [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    expected.push('an integer that JSON can carry exactly');
  if (typeof minimum === 'number' && value < minimum) expected.push(`at least ${minimum}`);
  if (typeof maximum === 'number' && value > maximum) expected.push(`at most ${maximum}`);
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
    expected.push(`more than ${exclusiveMinimum}`);
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
    expected.push(`less than ${exclusiveMaximum}`);
  if (typeof multipleOf === 'number' && multipleOf > 0 && !Number.isInteger(value / multipleOf))
    expected.push(`a multiple of ${multipleOf}`);
  return expected;
}

function stringExpectations(schema: Schema, value: string): readonly string[] {
  const expected: string[] = [];
  const { minLength, maxLength, pattern, format } = schema;
  const length = [...value].length;
  if (typeof minLength === 'number' && length < minLength) expected.push(`at least ${minLength} characters`);
  if (typeof maxLength === 'number' && length > maxLength) expected.push(`at most ${maxLength} characters`);
  if (typeof pattern === 'string' && !matches(pattern, value)) expected.push(`text that matches ${pattern}`);
  if (typeof format === 'string' && FORMATS[format]?.(value) === false) expected.push(`a ${format}`);
  return expected;
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
