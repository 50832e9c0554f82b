/** A value shorter than this would mask half of any log and hide nothing that cannot be guessed. */
const SHORTEST_SECRET = 4;
/** Above this, only the spellings in which a whole file is printed are looked for. */
const LONG_SECRET = 4096;
/** Above this a value is not looked for at all: the search would take hundreds of megabytes. */
const LONGEST_SECRET = 262_144;
/** A word of a longer text (a line of a PEM key) that is recognised on its own. */
const LONG_WORD = 32;

export interface SecretForms {
  /** Looked for as they stand. */
  readonly plain: readonly Uint8Array[];
  /** Looked for across the line ends of an encoded text too. */
  readonly wrapped: readonly Uint8Array[];
}

/**
 * Every spelling in which a secret may be printed: itself, base64 at any offset of a longer text, hex, URL, JSON and
 * shell quoting, HTML. Null with a reason when the value cannot be masked.
 */
export function secretForms(value: Uint8Array): SecretForms | 'too_short' | 'too_long' {
  // `echo x >file` leaves a line end that is no part of the secret: without it the value is found everywhere.
  const core = withoutLineEnd(value);
  if (core.length < SHORTEST_SECRET) return 'too_short';
  if (core.length > LONGEST_SECRET) return 'too_long';
  const base64 = base64Forms(core);
  const text = core.length > LONG_SECRET ? [] : [...hexForms(core), ...urlForms(core), ...quotedForms(core)];
  const wrappable = [...base64, ...(core.length > LONG_SECRET ? [] : hexForms(core))];
  const plain = [core, ...longWords(core), ...base64, ...text, ...jsonForms(core)];
  return {
    plain: plain.filter((form) => form.length >= SHORTEST_SECRET),
    wrapped: wrappable.filter((form) => form.length >= SHORTEST_SECRET),
  };
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const encoder = new TextEncoder();

function withoutLineEnd(value: Uint8Array): Uint8Array {
  let end = value.length;
  while (end > 0 && (value[end - 1] === 0x0a || value[end - 1] === 0x0d)) end--;
  return value.subarray(0, end);
}

/**
 * Base64 of the value alone, and the characters that only the value decides when 0, 1 or 2 bytes of a group of three
 * stand before it; both alphabets.
 */
function base64Forms(value: Uint8Array): Uint8Array[] {
  const forms: string[] = [];
  for (const alphabet of [`${ALPHABET}+/`, `${ALPHABET}-_`]) {
    forms.push(base64(value, alphabet));
    for (const before of [0, 1, 2]) {
      const shifted = new Uint8Array(before + value.length);
      shifted.set(value, before);
      forms.push(
        base64(shifted, alphabet).slice(before === 0 ? 0 : before + 1, Math.floor((shifted.length * 8) / 6)),
      );
    }
  }
  return forms.map((form) => encoder.encode(form));
}

function base64(bytes: Uint8Array, alphabet: string): string {
  let out = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] as number) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const characters = Math.min(4, bytes.length - at + 1);
    for (let n = 0; n < characters; n++) out += alphabet[(group >> (18 - 6 * n)) & 63];
  }
  return out;
}

function hexForms(value: Uint8Array): Uint8Array[] {
  const lower = Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [encoder.encode(lower), encoder.encode(lower.toUpperCase())];
}

/** Programs differ in which characters they leave alone, in the case of the digits and in what a space becomes. */
function urlForms(value: Uint8Array): Uint8Array[] {
  const forms: string[] = [];
  for (const kept of ["-_.~!*'()", '-_.~', '-_.~/', '-_.*', '-_.']) {
    for (const plus of [false, true]) {
      const upper = Array.from(value, (byte) => percent(byte, kept, plus)).join('');
      forms.push(
        upper,
        upper.replace(/%../g, (digits) => digits.toLowerCase()),
      );
    }
  }
  return forms.map((form) => encoder.encode(form));
}

function percent(byte: number, kept: string, plus: boolean): string {
  const character = String.fromCharCode(byte);
  if (/[A-Za-z0-9]/.test(character) || kept.includes(character)) return character;
  if (plus && byte === 0x20) return '+';
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

function jsonForms(value: Uint8Array): Uint8Array[] {
  const text = decoded(value);
  if (text === null) return [];
  const plain = JSON.stringify(text).slice(1, -1);
  const ascii = plain.replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const forms = [plain, ascii].flatMap((form) => [
    form,
    form.replaceAll('/', '\\/'),
    form.replace(/[<>&]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ]);
  return forms.map((form) => encoder.encode(form));
}

/** As `set -x` prints it, and as HTML. */
function quotedForms(value: Uint8Array): Uint8Array[] {
  const text = decoded(value);
  if (text === null) return [];
  const html = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  return [
    text.replaceAll("'", "'\\''"),
    text.replaceAll("'", `'"'"'`),
    html,
    html.replaceAll("'", '&#39;'),
  ].map((form) => encoder.encode(form));
}

function longWords(value: Uint8Array): Uint8Array[] {
  const words: Uint8Array[] = [];
  let start = 0;
  for (let at = 0; at <= value.length; at++) {
    const byte = value[at];
    if (byte !== undefined && byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) continue;
    if (at - start >= LONG_WORD && at - start < value.length) words.push(value.subarray(start, at));
    start = at + 1;
  }
  return words;
}

function decoded(value: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    // Not text: no program quotes it as text.
    return null;
  }
}
