import type { Statement } from './statement.js';

/**
 * Extends every lease of one owner and its heartbeat. $1 owner, $2 lease in ms, $3 newest event version it writes. A
 * lease that ran out but that nobody took is still its own: the counter has not moved.
 */
export const RENEW: Statement = {
  name: 'renew',
  text: `with beat as (
      insert into workers (owner, event_version, lease_until) values ($1, $3, now() + $2::float8 * interval '1 millisecond')
      on conflict (owner) do update set beat_at = now(), lease_until = excluded.lease_until, event_version = excluded.event_version),
    gone as (delete from workers where lease_until < now() - interval '1 hour' and owner <> $1)
    update operations set driver_lease_until = now() + $2::float8 * interval '1 millisecond'
    where driver = $1 and ended_at is null returning id`,
};
