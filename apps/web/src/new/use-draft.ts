import { useEffect, useState } from 'react';
import { keepDraft, type NewDraft, readDraft } from './draft';

/** The draft of a scenario, kept in the tab at every change, so that neither "back" nor a reload loses it [UX-S8]. */
export function useDraft(
  scenario: string,
  first: () => NewDraft,
): [NewDraft, (change: Partial<NewDraft>) => void] {
  const [draft, setDraft] = useState(() => readDraft(sessionStorage, scenario) ?? first());
  useEffect(() => {
    keepDraft(sessionStorage, scenario, draft);
  }, [scenario, draft]);
  return [draft, (change) => setDraft((now) => ({ ...now, ...change }))];
}
