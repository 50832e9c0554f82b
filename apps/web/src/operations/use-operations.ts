import { useLocale } from 'next-intl';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type CombinedError, type OperationResult, useClient } from 'urql';
import type { ResultOf, VariablesOf } from '../api/graphql';
import { useAttention } from '../shell/attention';
import { type OperationCardData, OperationsQuery } from './documents';
import { attentionFirst, filterVariables, type ListFilter } from './operation-list';

const PAGE = 20;
/** How often a list that is seen asks again; the screen of an operation follows it live, a list has no need to. */
const EVERY_MS = 5_000;

export interface OperationsList {
  /** Attention first; null until the first answer. */
  readonly operations: readonly OperationCardData[] | null;
  readonly error: CombinedError | null;
  /** Server time of the newest answer; set while newer ones do not come, so that nothing old looks new [UX-R6]. */
  readonly asOf: string | null;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly refresh: () => void;
}

interface Answer {
  readonly filter: ListFilter;
  readonly operations: readonly OperationCardData[];
  readonly hasMore: boolean;
  readonly at: string;
}

/** The list behind a filter, asked again every few seconds while the page is seen, and at once when it comes back. */
export function useOperations(filter: ListFilter): OperationsList {
  const client = useClient();
  const locale = useLocale();
  const { setCount } = useAttention();
  const [pages, setPages] = useState(1);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [error, setError] = useState<CombinedError | null>(null);
  const newest = useRef(0);

  const load = useCallback(async () => {
    // A slow answer must not overwrite that of a later question.
    const turn = ++newest.current;
    const operations: OperationCardData[] = [];
    let after: string | null = null;
    let attention: readonly OperationCardData[] = [];
    let at = '';
    for (let page = 0; page < pages; page++) {
      const variables: VariablesOf<typeof OperationsQuery> = {
        first: PAGE,
        after,
        filter: filterVariables(filter),
        locale,
        withAttention: page === 0,
      };
      const { data, error: failed }: OperationResult<ResultOf<typeof OperationsQuery>> = await client
        .query(OperationsQuery, variables, { requestPolicy: 'network-only' })
        .toPromise();
      if (turn !== newest.current) return;
      if (data === undefined) return setError(failed ?? null);
      operations.push(...data.operations.nodes);
      attention = data.attention?.nodes ?? attention;
      at = data.serverInfo.time;
      after = data.operations.pageInfo.endCursor;
      if (!data.operations.pageInfo.hasNextPage) after = null;
      if (after === null) break;
    }
    setCount(attention.length);
    setError(null);
    const all = filter === 'all' ? [...attention, ...operations] : operations;
    setAnswer({ filter, operations: attentionFirst(all), hasMore: after !== null, at });
  }, [client, filter, locale, pages, setCount]);

  useEffect(() => {
    void load();
    const tick = () => {
      if (!document.hidden) void load();
    };
    const timer = setInterval(tick, EVERY_MS);
    document.addEventListener('visibilitychange', tick);
    window.addEventListener('online', tick);
    return () => {
      newest.current++;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
      window.removeEventListener('online', tick);
    };
  }, [load]);

  const current = answer?.filter === filter ? answer : null;
  return {
    operations: current?.operations ?? null,
    error,
    asOf: error === null ? null : (current?.at ?? null),
    hasMore: current?.hasMore ?? false,
    loadMore: () => setPages(pages + 1),
    refresh: () => void load(),
  };
}
