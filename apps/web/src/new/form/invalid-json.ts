/** No parameter may hold U+0000, so a text that begins with it can stand for JSON that nobody could read. */
const MARK = '\0json:';

/** The value of a field whose JSON cannot be read: it keeps the text, so that neither a reload nor "back" loses it. */
export function invalidJson(text: string): string {
  return MARK + text;
}

/** The text of {@link invalidJson}; null for any other value. */
export function invalidJsonText(value: unknown): string | null {
  return typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : null;
}
