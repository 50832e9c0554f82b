import type { Statement } from './statement.js';

/**
 * Operations that need a driver and have none alive (S1). $1 limit. One that waits for a person was given back by its
 * driver and is not due, unless it asked to be woken or an attempt of it is still open.
 */
export const DUE: Statement = {
  name: 'due',
  text: `select id from operations o
    where ended_at is null and (driver is null or driver_lease_until < now())
      and (driver is not null or wake_at <= now() or status not in ('needs_attention', 'paused')
        or exists (select from attempts a where a.operation_id = o.id and a.ended_at is null))
    order by wake_at nulls last, number limit $1`,
};
