'use client';

import { useTranslations } from 'next-intl';
import { RelativeTime } from '../kit/relative-time';
import type { EventRow } from '../live/operation-frame';
import styles from './operation.module.css';
import { useLive } from './operation-context';

const ORDERS: readonly string[] = [
  'operation_cancelling',
  'operation_cancelled',
  'node_retry_requested',
  'operation_resumed',
];

/** Who last told the operation to do something, when and what [UX-R13]. */
export function LastOrder() {
  const words = useTranslations('operation');
  const events = useLive((live) => live.events);
  const order = lastOrder(events);
  if (order === null) return null;
  return (
    <p className={styles.order} data-testid="last-order">
      {words('order', { who: order.actor.id, what: order.text })} <RelativeTime at={order.at} />
    </p>
  );
}

/** The newest event that a person or a token caused; the engine's own steps are no orders. */
function lastOrder(events: readonly EventRow[]): EventRow | null {
  return events.findLast((event) => ORDERS.includes(event.type) && event.actor.kind !== 'service') ?? null;
}
