import { useLocale } from 'next-intl';
import { useCallback, useEffect, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { type ScenarioCardData, ScenariosQuery } from './documents';

/** A search over part of the list would say "there is none" of what is there, so all pages are read. */
const PAGE = 100;

export interface ScenarioList {
  readonly scenarios: readonly ScenarioCardData[] | null;
  readonly lab: string;
  readonly error: CombinedError | null;
  readonly retry: () => void;
}

/** Every scenario of the installation. */
export function useScenarios(): ScenarioList {
  const client = useClient();
  const locale = useLocale();
  const [list, setList] = useState<{ scenarios: readonly ScenarioCardData[]; lab: string } | null>(null);
  const [error, setError] = useState<CombinedError | null>(null);
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks again
  useEffect(() => {
    let current = true;
    const load = async () => {
      const scenarios: ScenarioCardData[] = [];
      for (let after: string | null = null; ; ) {
        const { data, error: failed } = await client
          .query(ScenariosQuery, { first: PAGE, after, locale }, { requestPolicy: 'network-only' })
          .toPromise();
        if (!current) return;
        if (data === undefined) return setError(failed ?? null);
        scenarios.push(...data.scenarios.nodes);
        after = data.scenarios.pageInfo.hasNextPage ? data.scenarios.pageInfo.endCursor : null;
        if (after !== null) continue;
        setError(null);
        return setList({ scenarios, lab: data.serverInfo.lab });
      }
    };
    void load();
    return () => {
      current = false;
    };
  }, [client, locale, turn]);
  const retry = useCallback(() => setTurn((now) => now + 1), []);
  return { scenarios: list?.scenarios ?? null, lab: list?.lab ?? '', error, retry };
}
