import type { Statement } from './statement.js';

/**
 * A process says that its pools live, and lets go what dead ones hold: a job they locked would swallow every later
 * wake-up of its operation for hours. $1 own pools, $2 seconds without a beat that mean dead. Unlocking neither tells
 * anybody nor looks: the notification does.
 */
export const TEND_QUEUE: Statement = {
  name: 'tend_queue',
  text: `with beat as (
      insert into wake_pools (pool_id) select unnest($1::text[])
      on conflict (pool_id) do update set beat_at = now() returning pool_id),
    gone as (delete from wake_pools where beat_at < now() - $2::float8 * interval '1 second' and pool_id <> all ($1::text[])),
    dead as (
      select distinct locked_by as id from graphile_worker.jobs
      where locked_by is not null and locked_at < now() - $2::float8 * interval '1 second' and locked_by <> all ($1::text[])
        and not exists (select from wake_pools p
          where p.pool_id = locked_by and p.beat_at >= now() - $2::float8 * interval '1 second'))
    select graphile_worker.force_unlock_workers(array_agg(id)), pg_notify('jobs:insert', '{"count":1}') from dead having count(*) > 0`,
};
