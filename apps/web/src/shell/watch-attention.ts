'use client';

import { useEffect, useMemo } from 'react';
import { useClient } from 'urql';
import { graphql } from '../api/graphql';
import { oneAtATime } from '../kit/one-at-a-time';
import { useServerTime } from '../kit/server-time';
import { useAttention } from './attention';

const EVERY_MS = 20_000;

const Attention = graphql(`
  query Attention {
    serverInfo { time }
    operations(first: 100, filter: { needsAttention: true }) { nodes { id } }
  }
`);

/** Asks now and then, while the page is seen, what waits for a person, and what the server's clock says. */
export function useWatchAttention(): void {
  const client = useClient();
  const { setCount, changes } = useAttention();
  const { learn } = useServerTime();
  const ask = useMemo(
    () =>
      oneAtATime(async () => {
        const { data } = await client.query(Attention, {}, { requestPolicy: 'network-only' }).toPromise();
        // Without an answer the last count stays: the page itself says that there is no connection.
        if (!data) return;
        learn(data.serverInfo.time);
        setCount(data.operations.nodes.length);
      }),
    [client, setCount, learn],
  );
  useEffect(() => {
    const askIfSeen = (): void => {
      if (!document.hidden) void ask();
    };
    askIfSeen();
    const timer = setInterval(askIfSeen, EVERY_MS);
    document.addEventListener('visibilitychange', askIfSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', askIfSeen);
    };
  }, [ask]);
  useEffect(() => {
    if (changes > 0) void ask();
  }, [ask, changes]);
}
