/** The languages of the interface. */
export const locales = ['en', 'ru'] as const;

export type Locale = (typeof locales)[number];

/** Name of the cookie that keeps the language somebody chose. */
export const localeCookie = 'capstan_locale';

/** The chosen language, else the first of `acceptLanguage` that there is, else English. No address holds one. */
export function chooseLocale(chosen: string | undefined, acceptLanguage: string | null): Locale {
  return isLocale(chosen) ? chosen : (accepted(acceptLanguage ?? '').find(isLocale) ?? 'en');
}

/** Primary tags in the order of their weights; those with weight 0 are unwanted. */
function accepted(header: string): string[] {
  return header
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const weight = parameters.map((one) => one.trim()).find((one) => one.startsWith('q='));
      return { tag: tag.split('-')[0] ?? '', weight: weight ? Number(weight.slice(2)) : 1 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

function isLocale(value: string | undefined): value is Locale {
  return locales.some((locale) => locale === value);
}
