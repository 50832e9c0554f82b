'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { Hint } from '../kit/hint';
import { type ConnectionState, NOT_CONNECTED } from '../live/connection';
import styles from './operation.module.css';
import { useLive, useOperation } from './operation-context';

/** Older than this, data says its age [UX-R6]. */
const OLD_MS = 10_000;

/** How fresh the page is: live, or since when it is not. Never silent [UX-R6]. */
export function ConnectionChip() {
  const words = useTranslations('operation');
  const format = useFormatter();
  const { connection } = useOperation();
  const state = useStore(connection?.state ?? NOT_CONNECTED);
  const asOf = useLive((live) => live.asOf);
  const old = useIsOld(state);
  const age =
    asOf !== null && (old || (state.kind !== 'live' && state.kind !== 'done'))
      ? words('connection.asOf', { time: format.dateTime(new Date(asOf), { timeStyle: 'medium' }) })
      : null;
  return (
    <Hint label={words(`connection.long.${state.kind}`)}>
      <span className={styles.chip} data-connection={state.kind} data-testid="connection" tabIndex={0}>
        <span className={styles.chipDot} aria-hidden="true" />
        {words(`connection.${state.kind}`)}
        {age === null ? null : <span className={styles.chipAge}>{age}</span>}
      </span>
    </Hint>
  );
}

function useIsOld(state: ConnectionState): boolean {
  const [old, setOld] = useState(false);
  useEffect(() => {
    const look = () =>
      setOld(state.kind !== 'done' && state.receivedAt !== null && Date.now() - state.receivedAt > OLD_MS);
    look();
    const timer = setInterval(look, 1_000);
    return () => clearInterval(timer);
  }, [state]);
  return old;
}
