import type { Experimental_DefaultFormStateBehavior } from '@rjsf/utils';

/** RJSF adds nothing to what a person said: no constants, no first options, no rows, no `false` [V18]. */
export const FORM_STATE: Experimental_DefaultFormStateBehavior = {
  allOf: 'skipDefaults',
  arrayMinItems: { populate: 'never' },
  constAsDefaults: 'never',
  emptyObjectFields: 'skipEmptyDefaults',
  mergeDefaultsIntoFormData: 'useFormDataIfPresent',
  requiredBooleanDefault: 'skip',
};
