'use client';

import type { NodeStatus } from '@capstan/model';
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';

/** What a shape shows of a node's run. */
export interface NodeStatusView {
  readonly status: NodeStatus;
  /** Number of the newest attempt; 0 = none yet. */
  readonly attempt: number;
  readonly reason: string | null;
}

/** Where statuses come from: the live store of an operation, or nowhere for a plan. A view is replaced, never changed. */
export interface StatusSource {
  read(key: string): NodeStatusView | undefined;
  subscribe(key: string, changed: () => void): () => void;
}

/** A plan that does not run has no status. */
const NO_STATUS: StatusSource = { read: () => undefined, subscribe: () => () => {} };

export const StatusSourceContext = createContext<StatusSource>(NO_STATUS);

/** The status of one node. Only the shapes of changed keys are drawn again. */
export function useNodeStatus(key: string): NodeStatusView | undefined {
  const source = useContext(StatusSourceContext);
  return useSyncExternalStore(
    useCallback((changed) => source.subscribe(key, changed), [source, key]),
    () => source.read(key),
    () => undefined,
  );
}

/** Statuses of many nodes as one string, `key=status` joined: equal strings are equal states, so React draws once. */
export function useStatuses(keys: readonly string[]): ReadonlyMap<string, NodeStatus> {
  const source = useContext(StatusSourceContext);
  const joined = useSyncExternalStore(
    useCallback(
      (changed) => {
        const stops = keys.map((key) => source.subscribe(key, changed));
        return () => {
          for (const stop of stops) stop();
        };
      },
      [source, keys],
    ),
    () => keys.map((key) => source.read(key)?.status ?? '').join(' '),
    () => '',
  );
  const statuses = joined.split(' ');
  return new Map(
    keys.flatMap((key, index) => (statuses[index] ? [[key, statuses[index] as NodeStatus] as const] : [])),
  );
}
