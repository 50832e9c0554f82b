'use client';

import { createContext, useContext, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { Connection } from '../live/connection';
import type { LiveSocket } from '../live/live-socket';
import type { NodeRow } from '../live/operation-frame';
import type { OperationLive, OperationStore } from '../live/operation-store';
import type { OperationStatic } from './operation-view';
import type { OperationUrl, UrlChange } from './url-state';

/** What every part of one open operation shares. */
export interface OpenOperation {
  readonly operation: OperationStatic;
  readonly store: OperationStore;
  readonly socket: LiveSocket;
  /** Null until the page runs in a browser. */
  readonly connection: Connection | null;
  readonly url: OperationUrl;
  readonly push: (change: UrlChange) => void;
  readonly replace: (change: UrlChange) => void;
}

export const OperationContext = createContext<OpenOperation | null>(null);

/** The open operation around this component. */
export function useOperation(): OpenOperation {
  const open = useContext(OperationContext);
  if (open === null) throw new Error('useOperation stands outside of an operation screen');
  return open;
}

/** A part of the live state; draws again when that part is another object. */
export function useLive<T>(select: (live: OperationLive) => T): T {
  return useStore(useOperation().store.state, select);
}

/** The row of one node; null selects nothing. */
export function useRow(key: string | null): NodeRow | undefined {
  const { store } = useOperation();
  return useSyncExternalStore(
    (changed) => (key === null ? () => {} : store.subscribeRow(key, changed)),
    () => (key === null ? undefined : store.row(key)),
    () => undefined,
  );
}
