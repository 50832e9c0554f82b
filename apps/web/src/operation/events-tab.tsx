// biome-ignore-all lint/a11y/useSemanticElements: a <section> cannot be the scroller and the tab stop that a list needs
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: without a tab stop nobody scrolls it by keyboard
'use client';

import { Button } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useFormatter, useLocale, useTranslations } from 'next-intl';
import { useMemo, useRef, useState } from 'react';
import { useClient } from 'urql';
import { EmptyState } from '../kit/states';
import type { EventRow } from '../live/operation-frame';
import { eventsQuery } from './documents';
import logStyles from './log.module.css';
import styles from './operation.module.css';
import { useLive, useOperation } from './operation-context';
import { useFollow } from './use-follow';

const ROW_HEIGHT = 52;
const PAGE = 100;

/** Everything that happened, in order and without gaps; earlier pages come when asked for. */
export function EventsTab({ nodeKey }: { readonly nodeKey: string | null }) {
  const words = useTranslations('operation');
  const format = useFormatter();
  const { push } = useOperation();
  const live = useLive((state) => state.events);
  const { earlier, more, loadEarlier, busy } = useEarlierEvents(live[0]?.sequence ?? null);
  const events = useMemo(
    () => [...earlier, ...live].filter((event) => nodeKey === null || event.nodeKey === nodeKey),
    [earlier, live, nodeKey],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    getItemKey: (index) => events[index]?.sequence ?? index,
  });
  const follow = useFollow(scroller, events.length, virtual.getTotalSize(), true);
  if (events.length === 0) return <EmptyState title={words('events.none')} />;
  return (
    <div className={logStyles.frame}>
      <div
        ref={scroller}
        className={logStyles.scroller}
        role="region"
        aria-label={words('tab.events')}
        tabIndex={0}
        onScroll={follow.onScroll}
        data-testid="events"
      >
        {more ? (
          <Button
            fullWidth
            size="xs"
            variant="subtle"
            loading={busy}
            onClick={() => {
              follow.setFollowing(false);
              void loadEarlier();
            }}
          >
            {words('events.earlier')}
          </Button>
        ) : null}
        <ol className={styles.events} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const event = events[item.index];
            if (event === undefined) return null;
            return (
              <li
                key={item.key}
                className={styles.event}
                style={{ transform: `translateY(${item.start}px)`, height: ROW_HEIGHT }}
                data-sequence={event.sequence}
              >
                <span className={styles.eventAt}>
                  {format.dateTime(new Date(event.at), { timeStyle: 'medium' })}
                </span>
                <span className={styles.eventText} title={event.text}>
                  {event.nodeKey === null ? (
                    event.text
                  ) : (
                    <button
                      type="button"
                      className={styles.eventLink}
                      onClick={() => push({ node: event.nodeKey })}
                    >
                      {event.text}
                    </button>
                  )}
                  <span className={styles.aside}>
                    {event.actor.kind === 'service' ? '' : `${event.actor.id} · `}#{event.sequence}
                  </span>
                </span>
              </li>
            );
          })}
        </ol>
      </div>
      {follow.unseen > 0 ? (
        <button type="button" className={logStyles.unseen} onClick={() => follow.setFollowing(true)}>
          {words('events.unseen', { count: follow.unseen })}
        </button>
      ) : null}
    </div>
  );
}

/** Pages before the first event that frames brought. Sequences have no gap, so where a page begins is a subtraction. */
function useEarlierEvents(first: number | null) {
  const client = useClient();
  const locale = useLocale();
  const { operation } = useOperation();
  const [earlier, setEarlier] = useState<readonly EventRow[]>([]);
  const [busy, setBusy] = useState(false);
  const [pruned, setPruned] = useState(false);
  const begin = earlier[0]?.sequence ?? first;
  const loadEarlier = async () => {
    if (begin === null || begin <= 1) return;
    setBusy(true);
    const after = Math.max(0, begin - 1 - PAGE);
    const { data } = await client.query(eventsQuery, { ref: operation.id, after, locale }).toPromise();
    setBusy(false);
    const page = (data?.operation?.events.nodes ?? [])
      .filter((event) => event.sequence < begin)
      .map((event) => ({ ...event, text: event.text.text }));
    // Retention removed them: asking again brings nothing.
    if (data !== undefined && page.length === 0) setPruned(true);
    setEarlier((known) => [...page, ...known]);
  };
  return { earlier, more: begin !== null && begin > 1 && !pruned, loadEarlier, busy };
}
