/**
 * Text as PostgreSQL can hold it. NUL is refused by its text type and half a surrogate pair has no UTF-8 form; both are
 * written out as the escapes that JSON would use, because what a host says may never fail a write (faults, item 8).
 */
export function storable(text: string): string {
  // Almost every text is fine, and looking is cheaper than rebuilding.
  if (!UNSTORABLE.test(text)) return text;
  return text.replace(UNSTORABLE_ALL, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const PATTERN = '\\u0000|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]';
const UNSTORABLE = new RegExp(PATTERN);
const UNSTORABLE_ALL = new RegExp(PATTERN, 'g');

/** A value for a `json` column, which keeps NUL and lone surrogates as escapes. */
export function jsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
