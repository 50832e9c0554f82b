import type { Reason, ReasonCode } from './reason.js';
import { DOCUMENT_TEXTS } from './render-documents.js';
import { ENGINE_TEXTS, REASON_TEXTS } from './render-engine.js';
import { PLAN_TEXTS } from './render-plan.js';
import { SERVER_TEXTS } from './render-server.js';
import type { Text } from './text.js';

type Table = Readonly<Record<string, { readonly en: string; readonly ru: string }>>;

const TEXTS: Table = { ...ENGINE_TEXTS, ...PLAN_TEXTS, ...DOCUMENT_TEXTS, ...SERVER_TEXTS };

/** A text in words. Stored rows hold code and arguments only, so a language can be added without touching data. */
export function renderText(value: Text, locale: 'en' | 'ru' = 'en'): string {
  return fill(TEXTS, value.code, value.args, locale);
}

/** A reason in words. */
export function renderReason(value: Reason, locale: 'en' | 'ru' = 'en'): string {
  // What a check observed has lines; a reason is one.
  return fill(REASON_TEXTS, value.code, value.args, locale).replace(/\s*[\r\n]+\s*/g, ' / ');
}

function fill(
  table: Table,
  code: string,
  args: Readonly<Record<string, string | number>>,
  locale: 'en' | 'ru',
): string {
  const template = table[code]?.[locale];
  // A row of a newer version may hold a code that this one does not know: its arguments still say more than nothing.
  if (template === undefined)
    return Object.keys(args).length === 0 ? code : `${code} ${JSON.stringify(args)}`;
  return template.replace(/\{(\w+)([?!]?)\}/g, (_, name: string, mark: string) => {
    // `{reason!}`: the words of the reason whose code is that argument; its own arguments stand beside it.
    if (mark === '!') return renderReason({ code: String(args[name]) as ReasonCode, args }, locale);
    // What a pack's author wrote may come in both languages: `step` and `step_ru`.
    return String(args[`${name}_${locale}`] ?? args[name] ?? (mark === '?' ? '' : '?'));
  });
}
