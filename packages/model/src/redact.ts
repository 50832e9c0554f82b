import { ByteMatcher } from './byte-matcher.js';
import { CapstanError } from './problem.js';
import { secretForms } from './secret-forms.js';

/** What must never be stored in the clear: exact values (found in every usual spelling) and regular expressions, applied line by line. */
export interface SecretsToMask {
  readonly values: readonly Uint8Array[];
  readonly patterns: readonly string[];
}

/** Masks a stream. What it returns keeps the length, so offsets before and after are the same. */
export interface Redactor {
  /** Masked bytes that are safe to store. Where they end is a safe place for another redactor to go on. */
  push(bytes: Uint8Array): Uint8Array;
  /** What was held back, masked, at the end of the stream. */
  flush(): Uint8Array;
  /** Values that are not masked, by position in `values`, and why. */
  readonly ignored: readonly { readonly index: number; readonly reason: 'too_short' | 'too_long' }[];
}

/** Throws `invalid_redact_pattern` for a pattern that is no regular expression; packs are checked before they load. */
export function createRedactor(secrets: SecretsToMask): Redactor {
  return new StreamRedactor(prepare(secrets, Number.POSITIVE_INFINITY));
}

/** The bytes with every secret in them masked, same length. */
export function maskAll(bytes: Uint8Array, secrets: SecretsToMask): Uint8Array {
  if (bytes.length === 0) return bytes;
  const redactor = new StreamRedactor(prepare(secrets, bytes.length));
  const out = new Uint8Array(bytes.length);
  let at = 0;
  const take = (part: Uint8Array): void => {
    out.set(part, at);
    at += part.length;
  };
  for (let from = 0; from < bytes.length; from += SLICE)
    take(redactor.push(bytes.subarray(from, from + SLICE)));
  take(redactor.flush());
  return out;
}

const ESCAPE = 0x1b;
const SLICE = 65_536;
/** An unfinished line longer than this is judged in pieces. */
const LONGEST_LINE = 8192;
/** Of such a line this much stays back: a match of a pattern up to this length is always found whole. */
const LINE_TAIL = 4096;
/** Overlapping repetitions of a periodic secret could hold a stream back for ever. */
const MOST_HELD = 65_536;
/** Programs wrap what they encode at 60, 64 or 76 columns; a line end after such a run is no end of a secret in it. */
const SHORTEST_RUN = 48;
const LONGEST_RUN = 256;
/** A longer colour sequence is text. */
const LONGEST_SEQUENCE = 32;

interface Prepared {
  readonly plain: ByteMatcher;
  readonly wrapped: ByteMatcher | null;
  readonly patterns: readonly RegExp[];
  readonly ignored: Redactor['ignored'];
}

/** Half-open and ascending; a range never overlaps the next. */
type Range = { start: number; end: number };

class StreamRedactor implements Redactor {
  readonly ignored: Redactor['ignored'];
  #held: Uint8Array = new Uint8Array(0);

  constructor(private readonly prepared: Prepared) {
    this.ignored = prepared.ignored;
  }

  push(bytes: Uint8Array): Uint8Array {
    return this.#advance(bytes, false);
  }

  flush(): Uint8Array {
    return this.#advance(new Uint8Array(0), true);
  }

  /** What was held is scanned again: it starts at a safe place, so no state has to be carried over a border. */
  #advance(bytes: Uint8Array, last: boolean): Uint8Array {
    const text = this.#held.length === 0 ? bytes : joined(this.#held, bytes);
    const { plain, wrapped, patterns } = this.prepared;
    const found: Range[] = [];
    let safe = text.length;
    if (plain.longest > 0) safe = Math.min(safe, findValues(text, plain, 'as_it_stands', found));
    if (plain.longest > 0 && text.includes(ESCAPE))
      safe = Math.min(safe, findValues(text, plain, 'without_colours', found));
    if (wrapped !== null) safe = Math.min(safe, findValues(text, wrapped, 'over_lines', found));
    if (patterns.length > 0) safe = Math.min(safe, findPatterns(text, patterns, last, found));
    const ranges = merged(found);
    const whole = last ? text.length : uncut(text, ranges, safe, wrapped !== null);
    safe = text.length - whole <= MOST_HELD + 2 * plain.longest ? whole : safe;
    this.#held = text.slice(safe);
    return masked(text, safe, ranges);
  }
}

function prepare(secrets: SecretsToMask, textLength: number): Prepared {
  const plain: Uint8Array[] = [];
  const wrapped: Uint8Array[] = [];
  const ignored: { index: number; reason: 'too_short' | 'too_long' }[] = [];
  secrets.values.forEach((value, index) => {
    const forms = secretForms(value);
    if (typeof forms === 'string') {
      ignored.push({ index, reason: forms });
      return;
    }
    // What is longer than the whole text cannot be in it.
    for (const form of forms.plain) if (form.length <= textLength) plain.push(withoutSequences(form));
    for (const form of forms.wrapped) if (form.length <= textLength) wrapped.push(form);
  });
  return {
    plain: new ByteMatcher(plain),
    wrapped: wrapped.length === 0 ? null : new ByteMatcher(wrapped),
    patterns: secrets.patterns.map(compile),
    ignored,
  };
}

/**
 * Adds every occurrence and returns where the last possible beginning of an unfinished one lies. Colour sequences inside
 * a value do not hide it, nor do line breaks inside what programs wrap.
 */
function findValues(
  text: Uint8Array,
  matcher: ByteMatcher,
  reading: 'as_it_stands' | 'without_colours' | 'over_lines',
  found: Range[],
): number {
  const places = new Int32Array(text.length);
  let count = 0;
  let state = 0;
  let run = 0;
  let wraps = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] as number;
    if (byte === ESCAPE && reading !== 'as_it_stands') {
      const end = sequenceEnd(text, at);
      if (end > text.length)
        return state === 0 ? at : Math.min(at, places[count - matcher.depth(state)] as number);
      if (end > at) {
        at = end - 1;
        run = end;
        continue;
      }
    }
    if (reading === 'over_lines' && !encodes(byte)) {
      wraps = byte === 0x0d ? isRun(at - run) : byte === 0x0a && (isRun(at - run) || (wraps && at === run));
      run = at + 1;
      if (wraps) continue;
    }
    state = matcher.step(state, byte);
    places[count++] = at;
    const length = state === 0 ? 0 : matcher.matched(state);
    if (length > 0) cover(found, places[count - length] as number, at + 1);
  }
  return state === 0 ? text.length : (places[count - matcher.depth(state)] as number);
}

/** Adds what the patterns match and returns where the line begins that is not finished yet. */
function findPatterns(text: Uint8Array, patterns: readonly RegExp[], last: boolean, found: Range[]): number {
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== 0x0a && text[at] !== 0x0d) continue;
    matchLine(text, start, at, patterns, found);
    start = at + 1;
  }
  if (!last && text.length - start <= LONGEST_LINE) return start;
  matchLine(text, start, text.length, patterns, found);
  return last ? text.length : text.length - LINE_TAIL;
}

function matchLine(
  text: Uint8Array,
  start: number,
  end: number,
  patterns: readonly RegExp[],
  found: Range[],
): void {
  if (start === end) return;
  let line = '';
  for (let at = start; at < end; at++) line += String.fromCharCode(character(text[at] as number));
  for (const pattern of patterns) {
    for (const match of line.matchAll(pattern)) {
      if (match[0].length > 0)
        found.push({ start: start + match.index, end: start + match.index + match[0].length });
    }
  }
}

/** One character a byte, so that places agree. Bytes of UTF-8 letters must be neither space nor word border to `\s` and `\w`. */
function character(byte: number): number {
  return byte < 0x80 ? byte : 0xe000 + byte;
}

function compile(source: string): RegExp {
  const bytes = new TextEncoder().encode(source);
  let written = '';
  for (const byte of bytes) written += String.fromCharCode(character(byte));
  try {
    return new RegExp(written, 'g');
  } catch (error) {
    throw new CapstanError('invalid_redact_pattern', `not a regular expression: ${source}`, { cause: error });
  }
}

/** Index after the colour or cursor sequence at `at`; `at` itself if there is none, beyond the text if it is cut off. */
function sequenceEnd(text: Uint8Array, at: number): number {
  if (at + 1 === text.length) return text.length + 1;
  if (text[at + 1] !== 0x5b /* [ */) return at;
  for (let end = at + 2; end < at + LONGEST_SEQUENCE; end++) {
    const byte = text[end];
    if (byte === undefined) return text.length + 1;
    if (byte >= 0x40 && byte <= 0x7e) return end + 1;
    if (byte < 0x20 || byte > 0x3f) return at;
  }
  return at;
}

function withoutSequences(form: Uint8Array): Uint8Array {
  if (!form.includes(ESCAPE)) return form;
  const kept: number[] = [];
  for (let at = 0; at < form.length; at++) {
    const end = form[at] === ESCAPE ? sequenceEnd(form, at) : at;
    if (end > at && end <= form.length) at = end - 1;
    else kept.push(form[at] as number);
  }
  return Uint8Array.from(kept);
}

/** Ends come in ascending order from one search: a match that reaches back over earlier ones swallows them. */
function cover(found: Range[], start: number, end: number): void {
  let from = start;
  for (
    let last = found.at(-1);
    last !== undefined && last.end > from && last.end <= end;
    last = found.at(-1)
  ) {
    from = Math.min(from, last.start);
    found.pop();
  }
  found.push({ start: from, end });
}

function merged(found: readonly Range[]): Range[] {
  const ranges: Range[] = [];
  for (const next of [...found].sort((a, b) => a.start - b.start)) {
    const last = ranges.at(-1);
    if (last !== undefined && next.start < last.end) last.end = Math.max(last.end, next.end);
    else ranges.push({ ...next });
  }
  return ranges;
}

/**
 * Where to end instead of `safe`: not inside a found secret, whose tail the next redactor would not recognise, and not
 * inside a run of encoded text, whose length tells whether the line end after it counts.
 */
function uncut(text: Uint8Array, ranges: readonly Range[], safe: number, runs: boolean): number {
  let end = safe;
  for (let n = ranges.length - 1; n >= -1; n--) {
    if (runs) end = runStart(text, end);
    const range = ranges[n];
    if (range === undefined || range.end <= end) return end;
    if (range.start < end) end = range.start;
  }
  return end;
}

function runStart(text: Uint8Array, end: number): number {
  let start = end;
  while (start > 0 && encodes(text[start - 1] as number)) start--;
  return end - start <= LONGEST_RUN ? start : end;
}

function isRun(length: number): boolean {
  return length >= SHORTEST_RUN && length <= LONGEST_RUN;
}

/** Letters, digits and signs of base64 and hex. */
function encodes(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2b ||
    byte === 0x2f ||
    byte === 0x3d ||
    byte === 0x2d ||
    byte === 0x5f
  );
}

/** Line ends stay, so that a log keeps its lines. */
function masked(text: Uint8Array, end: number, ranges: readonly Range[]): Uint8Array {
  const out = text.slice(0, end);
  for (const range of ranges) {
    for (let at = range.start; at < Math.min(range.end, end); at++) {
      if (out[at] !== 0x0a && out[at] !== 0x0d) out[at] = 0x2a; // *
    }
  }
  return out;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}
