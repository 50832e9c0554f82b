/** The words of what the server itself refuses, by text code. */
export const SERVER_TEXTS: Readonly<Record<string, { readonly en: string; readonly ru: string }>> = {
  'planning.timeout': {
    en: 'planning took longer than {seconds} s and was stopped: an expression of a pack is too expensive',
    ru: 'планирование заняло больше {seconds} с и остановлено: выражение пакета слишком дорогое',
  },
  'packs.none': {
    en: 'no pack could be read from {folders}',
    ru: 'ни один пакет не прочитан из {folders}',
  },
  'maintenance.prune_busy': {
    en: 'another run of retention is at work: its result stands in the audit',
    ru: 'очистка уже идёт: её результат будет в аудите',
  },
  'maintenance.rotation_busy': {
    en: 'another rotation of the key is at work: ask again when it has ended',
    ru: 'смена ключа уже идёт: повторите, когда она закончится',
  },
};
