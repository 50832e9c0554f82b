import type { JsonValue } from '@capstan/model';
import { canonicalJson } from '@capstan/model';
import { FORMATS } from './formats.js';
import { expectedName } from './nearest.js';
import type { Schema } from './schema-values.js';
import {
  compilePattern,
  describe,
  listOf,
  matches,
  objectOf,
  shown,
  typeMatches,
  valueExpectations,
} from './schema-values.js';

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

/**
 * Checks a value against the part of JSON Schema that packs use and fills in defaults. Own code and not a library: the
 * planner runs in browsers and worker threads without code generation, needs defaults inside the same walk, and must
 * refuse a keyword it does not know instead of ignoring a constraint.
 */
export function applySchema(
  schema: JsonValue | undefined,
  value: JsonValue,
  path: string,
  options: SchemaOptions,
): { readonly value: JsonValue; readonly faults: readonly SchemaFault[] } {
  const nul = nulFaults(value, path);
  if (nul.length > 0) return { value, faults: nul };
  const walk = new SchemaWalk(options);
  return { value: walk.check(schema ?? true, value, path, 0), faults: walk.faults };
}

const DEPTH = 64;

/** Every place below a value that holds U+0000: no file name, environment or PostgreSQL text can carry it. */
export function nulFaults(value: JsonValue, path: string, depth = 0): readonly SchemaFault[] {
  const fault: SchemaFault = { kind: 'nul', path, expected: 'text without U+0000', found: '' };
  if (depth > DEPTH) return [{ kind: 'invalid', path, expected: `at most ${DEPTH} levels`, found: '' }];
  if (typeof value === 'string') return value.includes('\0') ? [fault] : [];
  if (Array.isArray(value))
    return value.flatMap((item, index) => nulFaults(item, `${path}[${index}]`, depth + 1));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key.includes('\0') ? [fault] : nulFaults(item, join(path, key), depth + 1),
  );
}

const ANNOTATIONS = [
  ...['title', 'description', 'default', 'examples', 'sensitive', 'deprecated', 'readOnly', 'writeOnly'],
  ...['$schema', '$id', '$comment'],
];
const KEYWORDS = new Set([
  ...ANNOTATIONS,
  ...['type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['properties', 'patternProperties', 'additionalProperties', 'propertyNames', 'required'],
  ...['minProperties', 'maxProperties', 'items', 'contains', 'minItems', 'maxItems', 'uniqueItems'],
  ...['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'],
]);

/** One walk over one value. */
class SchemaWalk {
  readonly faults: SchemaFault[] = [];

  constructor(private readonly options: SchemaOptions) {}

  check(schema: JsonValue, value: JsonValue, path: string, depth: number): JsonValue {
    if (schema === true || schema === null) return value;
    const sensitive = objectOf(schema).sensitive === true;
    const fail = (expected: string, kind: SchemaFault['kind'] = 'invalid'): void => {
      this.faults.push({ kind, path, expected, found: sensitive ? '' : shown(value) });
    };
    if (typeof schema !== 'object' || Array.isArray(schema)) {
      fail('nothing here');
      return value;
    }
    this.checkSchema(schema, fail);
    if (sensitive)
      fail('{secret: REF} or {artifact: REF}: a sensitive value never stands in a document', 'unsupported');
    if (!typeMatches(schema.type, value)) {
      fail(`type ${[schema.type].flat().join(' or ')}`);
      return value;
    }
    for (const expected of valueExpectations(schema, value)) fail(expected);
    const { hosts } = this.options;
    if (schema.format === 'capstan-host' && hosts !== undefined && typeof value === 'string') {
      if (!hosts.includes(value.replace(/^node\//, ''))) fail(expectedName(value, hosts), 'unknown_host');
    }
    let checked = value;
    if (Array.isArray(checked)) checked = this.array(schema, checked, path, fail, depth);
    else if (checked !== null && typeof checked === 'object')
      checked = this.object(schema, checked, path, fail, depth);
    return this.combined(schema, checked, path, fail, depth);
  }

  /** A constraint that nobody understands must not look like one that is kept. */
  private checkSchema(schema: Schema, fail: Fail): void {
    for (const keyword of Object.keys(schema)) {
      if (!KEYWORDS.has(keyword)) fail(`a schema without the keyword "${keyword}"`, 'unsupported');
    }
    const { pattern, format } = schema;
    if (typeof pattern === 'string' && compilePattern(pattern) === null)
      fail(`a schema with a readable pattern instead of ${pattern}`, 'unsupported');
    if (typeof format === 'string' && format !== 'capstan-host' && !Object.hasOwn(FORMATS, format))
      fail(`a schema without the format "${format}"`, 'unsupported');
  }

  private object(schema: Schema, value: Schema, path: string, fail: Fail, depth: number): JsonValue {
    const properties = objectOf(schema.properties);
    const given = depth === 0 ? this.options.given : undefined;
    const entries: [string, JsonValue][] = [];
    for (const [key, item] of Object.entries(value)) {
      const at = join(path, key);
      if (schema.propertyNames !== undefined) this.check(schema.propertyNames, key, at, depth + 1);
      const rules = this.rulesFor(schema, key, depth);
      if (rules === null)
        this.faults.push({
          kind: 'unknown',
          path: at,
          expected: expectedName(key, Object.keys(properties)),
          found: '',
        });
      else
        entries.push([
          key,
          rules.reduce<JsonValue>((now, rule) => this.check(rule, now, at, depth + 1), item),
        ]);
    }
    for (const [key, property] of Object.entries(properties)) {
      const preset = objectOf(property).default;
      if (preset === undefined || Object.hasOwn(value, key) || given?.has(key)) continue;
      // The default is checked too: a pack's own default must keep the pack's own schema.
      entries.push([key, this.check(property, preset, join(path, key), depth + 1)]);
    }
    const have = new Set([...entries.map(([key]) => key), ...Object.keys(value), ...(given ?? [])]);
    for (const key of listOf(schema.required)) {
      if (typeof key !== 'string' || have.has(key)) continue;
      this.faults.push({
        kind: 'missing',
        path: join(path, key),
        expected: describe(properties[key]),
        found: '',
      });
    }
    const { minProperties, maxProperties } = schema;
    if (typeof minProperties === 'number' && entries.length < minProperties)
      fail(`at least ${minProperties} properties`);
    if (typeof maxProperties === 'number' && entries.length > maxProperties)
      fail(`at most ${maxProperties} properties`);
    return Object.fromEntries(entries);
  }

  /** The schemas that a property must keep, or null when it may not be there. */
  private rulesFor(schema: Schema, key: string, depth: number): readonly JsonValue[] | null {
    const properties = objectOf(schema.properties);
    const named = [
      ...(Object.hasOwn(properties, key) ? [properties[key] as JsonValue] : []),
      ...Object.entries(objectOf(schema.patternProperties)).flatMap(([pattern, rule]) =>
        matches(pattern, key) ? [rule] : [],
      ),
    ];
    if (named.length > 0) return named;
    const { additionalProperties } = schema;
    if (additionalProperties === false) return null;
    if (additionalProperties !== undefined) return [additionalProperties];
    if (!this.options.strict || depth > 0) return [];
    const alternatives = [...listOf(schema.allOf), ...listOf(schema.anyOf), ...listOf(schema.oneOf)];
    return alternatives.some((part) => Object.hasOwn(objectOf(objectOf(part).properties), key)) ? [] : null;
  }

  private array(schema: Schema, value: JsonValue[], path: string, fail: Fail, depth: number): JsonValue {
    const { minItems, maxItems, items, contains } = schema;
    if (typeof minItems === 'number' && value.length < minItems) fail(`at least ${minItems} items`);
    if (typeof maxItems === 'number' && value.length > maxItems) fail(`at most ${maxItems} items`);
    if (schema.uniqueItems === true && new Set(value.map(canonicalJson)).size < value.length)
      fail('no item twice');
    if (contains !== undefined && !value.some((item) => this.fits(contains, item, depth + 1)))
      fail(`an item that is ${describe(contains)}`);
    if (items === undefined) return value;
    return value.map((item, index) => this.check(items, item, `${path}[${index}]`, depth + 1));
  }

  private combined(schema: Schema, value: JsonValue, path: string, fail: Fail, depth: number): JsonValue {
    let checked = value;
    const also = (part: JsonValue): void => {
      const inner = this.inner();
      checked = inner.check(part, checked, path, depth);
      this.faults.push(...inner.faults);
    };
    for (const part of listOf(schema.allOf)) also(part);
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const parts = listOf(schema[keyword]);
      const fitting = parts.filter((part) => this.fits(part, checked, depth));
      const kept = keyword === 'anyOf' ? fitting.length > 0 : fitting.length === 1;
      if (parts.length > 0 && !kept)
        fail(`${keyword === 'anyOf' ? 'one' : 'exactly one'} of: ${parts.map(describe).join('; ')}`);
      else if (fitting[0] !== undefined) also(fitting[0]);
    }
    if (schema.not !== undefined && this.fits(schema.not, checked, depth))
      fail(`anything but ${describe(schema.not)}`);
    if (schema.if !== undefined) {
      const branch = this.fits(schema.if, checked, depth) ? schema.then : schema.else;
      if (branch !== undefined) also(branch);
    }
    return checked;
  }

  private fits(schema: JsonValue, value: JsonValue, depth: number): boolean {
    const inner = this.inner();
    inner.check(schema, value, '', depth);
    return inner.faults.length === 0;
  }

  /** Alternatives see a part of the properties only, so they cannot be strict about the others. */
  private inner(): SchemaWalk {
    return new SchemaWalk({ ...this.options, strict: false });
  }
}

type Fail = (expected: string, kind?: SchemaFault['kind']) => void;

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
