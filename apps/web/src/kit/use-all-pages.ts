import { useCallback, useEffect, useState } from 'react';
import { type AnyVariables, type CombinedError, type TypedDocumentNode, useClient } from 'urql';

interface Page<Item> {
  readonly nodes: readonly Item[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

export interface AllPages<Data, Item> {
  /** Null until the first whole answer. */
  readonly items: readonly Item[] | null;
  /** The last page, for what the document asks beside the list. */
  readonly data: Data | null;
  readonly error: CombinedError | null;
  readonly refresh: () => void;
}

/** The most that one request may ask for. */
export const LARGEST_PAGE = 100;

/**
 * Every item of a list that a person chooses from or searches in: a part of it would say "there is none" of what is
 * there. `variables` and `page` must stay the same between drawings, or the list is asked for again.
 */
export function useAllPages<Data, Variables extends AnyVariables, Item>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  page: (data: Data) => Page<Item>,
): AllPages<Data, Item> {
  const client = useClient();
  const [turn, setTurn] = useState(0);
  const [error, setError] = useState<CombinedError | null>(null);
  const [answer, setAnswer] = useState<{ items: readonly Item[]; data: Data } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks again
  useEffect(() => {
    let current = true;
    const load = async () => {
      const items: Item[] = [];
      for (let after: string | null = null; ; ) {
        const { data, error: failed } = await client
          .query(query, { ...variables, after }, { requestPolicy: 'network-only' })
          .toPromise();
        if (!current) return;
        if (data === undefined) return setError(failed ?? null);
        const { nodes, pageInfo } = page(data);
        items.push(...nodes);
        after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
        if (after !== null) continue;
        setError(null);
        return setAnswer({ items, data });
      }
    };
    void load();
    return () => {
      current = false;
    };
  }, [client, query, variables, page, turn]);
  const refresh = useCallback(() => setTurn((now) => now + 1), []);
  return { items: answer?.items ?? null, data: answer?.data ?? null, error, refresh };
}
