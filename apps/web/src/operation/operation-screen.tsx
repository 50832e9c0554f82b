'use client';

import dynamic from 'next/dynamic';
import { useLocale } from 'next-intl';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useClient } from 'urql';
import { useStore } from 'zustand';
import type { Connection } from '../live/connection';
import { followOperation } from '../live/follow-operation';
import { createLiveSocket } from '../live/live-socket';
import { createOperationStore } from '../live/operation-store';
import { useAttention } from '../shell/attention';
import { Announcer } from './announcer';
import { Notices } from './notices';
import styles from './operation.module.css';
import { OperationContext } from './operation-context';
import { OperationHeader } from './operation-header';
import type { OperationStatic } from './operation-view';
import { RunSkeleton } from './run-skeleton';
import { SimpleView } from './simple-view';
import { useUrlState } from './use-url-state';

// The canvas is heavy and the simple view does without: its chunk comes when somebody wants details.
const RunView = dynamic(() => import('./run-view').then((module) => module.RunView), {
  ssr: false,
  loading: RunSkeleton,
});

interface OperationScreenProps {
  readonly operation: OperationStatic;
  /** The plan has a newer revision than the one drawn. */
  readonly onOutdated: () => void;
}

/** One operation, simple or in detail, both fed by one live store. */
export function OperationScreen({ operation, onOutdated }: OperationScreenProps) {
  const client = useClient();
  const locale = useLocale();
  const { url, push, replace } = useUrlState();
  const [store] = useState(() => createOperationStore());
  const [socket] = useState(() => createLiveSocket({ url: socketUrl }));
  const [connection, setConnection] = useState<Connection | null>(null);
  const planRevision = useStore(store.state, (live) => live.planRevision);

  useEffect(() => {
    const followed = followOperation({ socket, client, store, id: operation.id, locale });
    setConnection(followed);
    const wake = () => {
      if (document.visibilityState === 'visible') followed.wake();
    };
    document.addEventListener('visibilitychange', wake);
    window.addEventListener('online', wake);
    return () => {
      document.removeEventListener('visibilitychange', wake);
      window.removeEventListener('online', wake);
      followed.stop();
    };
  }, [socket, client, store, operation.id, locale]);

  useEffect(() => {
    if (planRevision > operation.planRevision) onOutdated();
  }, [planRevision, operation.planRevision, onOutdated]);

  const { noteChange } = useAttention();
  const status = useStore(store.state, (live) => live.head?.status ?? null);
  const former = useRef(status);
  useEffect(() => {
    if (former.current !== null && former.current !== status) noteChange();
    former.current = status;
  }, [status, noteChange]);

  const open = useMemo(
    () => ({ operation, store, socket, connection, url, push, replace }),
    [operation, store, socket, connection, url, push, replace],
  );
  return (
    <OperationContext value={open}>
      <div className={styles.page} data-view={url.view} data-testid="operation">
        <OperationHeader />
        <Notices />
        {url.view === 'simple' ? <SimpleView /> : <RunView />}
        <Announcer />
      </div>
    </OperationContext>
  );
}

/** Asked for when the socket is opened, which only a browser does. */
function socketUrl(): string {
  return `${window.location.protocol === 'https:' ? 'wss' : 'ws'}://${window.location.host}/graphql`;
}
