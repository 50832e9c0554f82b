'use client';

import { useLocale } from 'next-intl';
import { useEffect, useRef } from 'react';
import { type CombinedError, useQuery } from 'urql';
import type { ResultOf } from '../api/graphql';
import { nodeRunQuery } from './documents';
import { useOperation } from './operation-context';

export type NodeRunDetails = NonNullable<ResultOf<typeof nodeRunQuery>['operation']>['nodeRuns'][number];

/** Changes within this time are one question: a node starts, runs and is checked within a second. */
const SETTLES_MS = 150;

/** Attempts and evidence of one node, asked for again whenever its row has changed. */
export function useNodeRun(
  key: string,
  sequence: number,
): { readonly run: NodeRunDetails | null; readonly error: CombinedError | null; readonly again: () => void } {
  const { operation } = useOperation();
  const locale = useLocale();
  const [{ data, error, fetching }, execute] = useQuery({
    query: nodeRunQuery,
    variables: { ref: operation.id, keys: [key], locale },
  });
  const asked = useRef(sequence);
  useEffect(() => {
    if (asked.current === sequence) return;
    const timer = setTimeout(() => {
      asked.current = sequence;
      execute({ requestPolicy: 'network-only' });
    }, SETTLES_MS);
    return () => clearTimeout(timer);
  }, [sequence, execute]);
  return {
    run: data?.operation?.nodeRuns.find((run) => run.key === key) ?? null,
    error: fetching ? null : (error ?? null),
    again: () => execute({ requestPolicy: 'network-only' }),
  };
}
