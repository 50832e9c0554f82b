import type { JsonValue } from '@capstan/model';

/** Items of the longest list or map, here and in results. */
export const MAX_ITEMS = 1_000;
const MAX_DEPTH = 64;
const MAX_VALUES = 100_000;

/** What the given values hold at one depth at most: items of one list or map, characters of one text, values below one. */
export interface Level {
  size: number;
  text: number;
  values: number;
}

/** The given values by depth, for the count of steps. */
export interface Profile {
  readonly levels: Level[];
}

type Read = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };

/**
 * JSON as CEL has it: whole numbers are `int` (BigInt), for a JavaScript number is a `double` and `port + 1` would not
 * be defined. Fills `profile`; refuses what is too large.
 */
export function toCel(value: JsonValue, profile: Profile): Read {
  const counter = { values: 0 };
  try {
    return { ok: true, value: read(value, 0, profile, counter).value };
  } catch (error) {
    if (error instanceof TooLarge) return { ok: false, error: error.message };
    throw error;
  }
}

/** Thrown and caught inside this file only, to leave a deep walk. */
class TooLarge extends Error {}

function read(
  value: JsonValue,
  depth: number,
  profile: Profile,
  counter: { values: number },
): { value: unknown; values: number } {
  if (depth > MAX_DEPTH) throw new TooLarge(`a value nests deeper than ${MAX_DEPTH}`);
  if (++counter.values > MAX_VALUES) throw new TooLarge(`more than ${MAX_VALUES} values`);
  profile.levels[depth] ??= { size: 0, text: 0, values: 0 };
  const level = profile.levels[depth];
  let values = 1;
  let result: unknown = value;
  if (typeof value === 'string') {
    level.text = Math.max(level.text, value.length);
    values += value.length / 64;
  } else if (typeof value === 'number' && Number.isInteger(value)) {
    if (!Number.isSafeInteger(value)) throw new TooLarge(`the number ${value} is not exact`);
    result = BigInt(value);
  } else if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value);
    if (entries.length > MAX_ITEMS)
      throw new TooLarge(`a list of ${entries.length} items; at most ${MAX_ITEMS}`);
    level.size = Math.max(level.size, entries.length);
    const items = entries.map(([key, item]) => {
      const inner = read(item, depth + 1, profile, counter);
      const below = profile.levels[depth + 1];
      // A loop over a map runs over its keys.
      if (below !== undefined) below.text = Math.max(below.text, key.length);
      values += inner.values + key.length / 64;
      return [key, inner.value] as const;
    });
    result = Array.isArray(value) ? items.map(([, item]) => item) : Object.fromEntries(items);
  }
  level.values = Math.max(level.values, values);
  return { value: result, values };
}

/** A CEL result as JSON; refused when JSON has no such value, or it is too large. */
export function fromCel(
  value: unknown,
): { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly error: string } {
  try {
    return { ok: true, value: write(value, 0) };
  } catch (error) {
    if (error instanceof TooLarge) return { ok: false, error: error.message };
    throw error;
  }
}

function write(value: unknown, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw new TooLarge(`the result nests deeper than ${MAX_DEPTH}`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return exact(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TooLarge('the result is not a finite number');
    return value;
  }
  if (Array.isArray(value)) {
    if (value.length > MAX_ITEMS)
      throw new TooLarge(`the result is a list of ${value.length} items; at most ${MAX_ITEMS}`);
    return value.map((item) => write(item, depth + 1));
  }
  const entries = value instanceof Map ? [...value.entries()] : isPlain(value) ? Object.entries(value) : null;
  if (entries === null) throw new TooLarge('the result is no JSON value');
  if (entries.length > MAX_ITEMS)
    throw new TooLarge(`the result has ${entries.length} keys; at most ${MAX_ITEMS}`);
  return Object.fromEntries(
    entries.map(([key, item]) => {
      if (typeof key !== 'string' || key === '__proto__')
        throw new TooLarge('a key of the result is no plain text');
      return [key, write(item, depth + 1)];
    }),
  );
}

function exact(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new TooLarge(`the number ${value} is not exact in JSON`);
  return number;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
