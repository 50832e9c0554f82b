import { useCallback, useEffect, useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import { type EnvironmentData, type HostData, HostsQuery } from './documents';

const PAGE = 100;

export interface HostList {
  /** Null until the first answer. */
  readonly hosts: readonly HostData[] | null;
  readonly environments: readonly EnvironmentData[];
  readonly error: CombinedError | null;
  readonly refresh: () => void;
}

/** Every host, all pages of them: a choice among part of the hosts would hide the others. */
export function useHosts(): HostList {
  const client = useClient();
  const [turn, setTurn] = useState(0);
  const [error, setError] = useState<CombinedError | null>(null);
  const [list, setList] = useState<Pick<HostList, 'hosts' | 'environments'>>({
    hosts: null,
    environments: [],
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks again
  useEffect(() => {
    let current = true;
    const load = async () => {
      const hosts: HostData[] = [];
      for (let after: string | null = null; ; ) {
        const { data, error: failed } = await client
          .query(HostsQuery, { first: PAGE, after }, { requestPolicy: 'network-only' })
          .toPromise();
        if (!current) return;
        if (data === undefined) return setError(failed ?? null);
        hosts.push(...data.hosts.nodes);
        after = data.hosts.pageInfo.hasNextPage ? data.hosts.pageInfo.endCursor : null;
        if (after !== null) continue;
        setError(null);
        return setList({ hosts, environments: data.environments });
      }
    };
    void load();
    return () => {
      current = false;
    };
  }, [client, turn]);
  return { ...list, error, refresh: useCallback(() => setTurn((now) => now + 1), []) };
}
