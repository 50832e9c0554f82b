/** JSON as the product stores and shows it. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** Something a person reads: a stable code and its arguments; the words live in `render.ts`, never in stored rows. */
export interface Text {
  readonly code: string;
  readonly args: Readonly<Record<string, string | number>>;
}

/** A text that a pack author wrote: one string for every language, or one per language. */
export type PackText = string | { readonly en: string; readonly ru?: string };

/** Makes a {@link Text}. */
export function text(code: string, args: Record<string, string | number> = {}): Text {
  return { code, args };
}

/** A pack's text in the wanted language; English where the pack has no translation. */
export function packText(value: PackText, locale: 'en' | 'ru' = 'en'): string {
  if (typeof value === 'string') return value;
  return (locale === 'ru' ? value.ru : undefined) ?? value.en;
}
