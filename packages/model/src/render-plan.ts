/** The words of everything that the planner says, by text code. `{name}` is replaced by the argument of that name. */
export const PLAN_TEXTS: Readonly<Record<string, { readonly en: string; readonly ru: string }>> = {
  'plan.not_supported': {
    en: '{field} of {where} is not executed by this version',
    ru: '{field} ({where}) эта версия не исполняет',
  },
};
