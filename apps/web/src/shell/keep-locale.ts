import { localeCookie } from '../i18n/locale';

/** Keeps the language for a year, for this browser. */
export function keepLocale(locale: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http
  document.cookie = `${localeCookie}=${locale}; Path=/; Max-Age=31536000; SameSite=Lax`;
}
