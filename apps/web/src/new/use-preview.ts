import { useLocale } from 'next-intl';
import { useEffect, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { newIdempotencyKey } from '../api/idempotency-key';
import { type PlanProblem, type PreviewedPlan, PreviewPlan } from './documents';
import type { IntentJson } from './intent';

/** What the planner says to an intent. */
export type Preview =
  | { readonly kind: 'asking' }
  /** `key` belongs to this plan: starting it twice, by a double click or after a lost answer, is one operation. */
  | { readonly kind: 'plan'; readonly plan: PreviewedPlan; readonly key: string }
  | { readonly kind: 'refused'; readonly problem: PlanProblem }
  | { readonly kind: 'failed'; readonly error: CombinedError };

/** The plan for an intent against the world as it is now, and a way to ask again. */
export function usePreview(intent: IntentJson): { readonly preview: Preview; readonly again: () => void } {
  const client = useClient();
  const locale = useLocale();
  const [turn, setTurn] = useState(0);
  const [preview, setPreview] = useState<Preview>({ kind: 'asking' });
  const text = JSON.stringify(intent);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks again
  useEffect(() => {
    let current = true;
    setPreview({ kind: 'asking' });
    void client
      .query(PreviewPlan, { intent: JSON.parse(text), locale }, { requestPolicy: 'network-only' })
      .toPromise()
      .then(({ data, error }) => {
        if (!current) return;
        if (data !== undefined) setPreview(answerOf(data.previewPlan));
        else if (error !== undefined) setPreview({ kind: 'failed', error });
      });
    return () => {
      current = false;
    };
  }, [client, locale, text, turn]);
  return { preview, again: () => setTurn(turn + 1) };
}

function answerOf(result: PreviewedPlan | PlanProblem): Preview {
  return result.__typename === 'Plan'
    ? { kind: 'plan', plan: result, key: newIdempotencyKey() }
    : { kind: 'refused', problem: result };
}
