'use client';

import { useTranslations } from 'next-intl';
import { RelativeTime } from '../kit/relative-time';
import type { EventRow } from '../live/operation-frame';
import styles from './operation.module.css';
import { useLive } from './operation-context';

const ORDERS = ['operation_cancelling', 'operation_cancelled', 'node_retry_requested'] as const;
type Order = EventRow & { readonly type: (typeof ORDERS)[number] };

/** Who last told the operation to do something, when and what [UX-R13]. */
export function LastOrder() {
  const words = useTranslations('operation');
  const events = useLive((live) => live.events);
  const order = lastOrder(events);
  // Its place is kept: an order of somebody else moves nothing under a reader's eyes.
  if (order === null) return <p className={styles.order} />;
  return (
    <p className={styles.order} data-testid="last-order">
      {words(`order.${order.type}`, { who: order.actor.id })} <RelativeTime at={order.at} />
    </p>
  );
}

/** The newest event that a person or a token caused; the engine's own steps are no orders. */
function lastOrder(events: readonly EventRow[]): Order | null {
  return (
    events.findLast(
      (event): event is Order => ORDERS.some((type) => type === event.type) && event.actor.kind !== 'service',
    ) ?? null
  );
}
