'use client';

import { useTranslations } from 'next-intl';
import { RelativeTime } from '../kit/relative-time';
import styles from './operation.module.css';
import { useLive } from './operation-context';
import { useWho } from './use-who';

/** What it waits for, as a card of its own. */
export function BlockerList() {
  const words = useTranslations('operation');
  return (
    <section className={styles.card} aria-label={words('blockers')} data-testid="blockers">
      <h2 className={styles.h2}>{words('blockers')}</h2>
      <Blockers />
    </section>
  );
}

/** What it waits for, for whom, since when. */
export function Blockers() {
  const who = useWho();
  const blockers = useLive((live) => live.head?.blockers) ?? [];
  return (
    <ul className={styles.plainList}>
      {blockers.map((blocker) => (
        <li key={`${blocker.kind} ${blocker.what}`}>
          {blocker.what}{' '}
          <span className={styles.aside}>
            {blocker.who.length === 0 ? null : `${who(blocker.who)} · `}
            <RelativeTime at={blocker.since} />
          </span>
        </li>
      ))}
    </ul>
  );
}
