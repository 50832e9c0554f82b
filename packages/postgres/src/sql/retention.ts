/** Old enough, or over the size: oldest first, output of failed attempts last. Only of operations that are over. $1 ages of calm and $2 of failed attempts, ms, $3 bytes. */
export const DUE_LOGS = `
  with kept as (
    select l.attempt_id, a.operation_id, l.size - coalesce(l.cut_to - l.cut_from, 0) as bytes,
        case when a.status in ('succeeded', 'cancelled') then 'logs' else 'failed_logs' end as kind,
        greatest(a.ended_at, o.ended_at) as at, o.ended_at is not null as over
      from attempt_logs l join attempts a on a.id = l.attempt_id join operations o on o.id = a.operation_id
      where l.pruned_at is null),
  aged as (
    select *, over and at < now() - (case kind when 'logs' then $1::float8 else $2::float8 end) * interval '1 millisecond' as old from kept),
  ranked as (
    select *, sum(bytes) filter (where not old and over) over (order by kind = 'failed_logs', at, attempt_id) - bytes as before from aged)
  select attempt_id, operation_id, kind, bytes from ranked
    where old or (over and before < (select coalesce(sum(bytes) filter (where not old), 0) from aged) - $3::bigint)
    order by kind = 'failed_logs', at, attempt_id`;

/** $1 attempt, $2 operation, $3 kind, $4 actor. The hash is over the hashes of the chunks, in order. */
export const PRUNE_LOG = `
  with mark as (
    update attempt_logs set pruned_at = now(), edition = edition + 1 where attempt_id = $1 and pruned_at is null returning attempt_id),
  gone as (delete from log_chunks where attempt_id = (select attempt_id from mark) returning start, bytes)
  insert into tombstones (actor, kind, operation_id, attempt_id, objects, bytes, sha256)
    select $4, $3, $2, $1, 1, coalesce(sum(length(bytes)), 0),
        encode(sha256(coalesce(string_agg(sha256(bytes), '' order by start), '')), 'hex')
      from mark left join gone on true group by mark.attempt_id
    returning bytes`;

/** Events of operations that ended long ago, as ranges. $1 age, ms. */
export const DUE_EVENTS = `
  select e.operation_id, count(*) as objects, sum(octet_length(row_to_json(e)::text)) as bytes
    from events e join operations o on o.id = e.operation_id
    where o.ended_at < now() - $1::float8 * interval '1 millisecond' group by e.operation_id order by e.operation_id`;

/** $1 operation, $2 actor. */
export const PRUNE_EVENTS = `
  with gone as (delete from events where operation_id = $1 returning *)
  insert into tombstones (actor, kind, operation_id, first_sequence, last_sequence, objects, bytes, sha256)
    select $2, 'events', $1, min(sequence), max(sequence), count(*), sum(octet_length(row_to_json(gone)::text)),
        encode(sha256(string_agg(sha256(convert_to(row_to_json(gone)::text, 'UTF8')), '' order by sequence)), 'hex')
      from gone having count(*) > 0
    returning objects, bytes`;

/** What a fact rests on stays for as long as the fact. */
const OLD_EVIDENCE = `e.id not in (select unnest(evidence) from facts)`;

/** $1 age, ms. */
export const DUE_EVIDENCE = `
  select e.operation_id, count(*) as objects, sum(octet_length(row_to_json(e)::text)) as bytes
    from evidence e join operations o on o.id = e.operation_id
    where o.ended_at < now() - $1::float8 * interval '1 millisecond' and ${OLD_EVIDENCE} group by e.operation_id order by e.operation_id`;

/** $1 operation, $2 actor. */
export const PRUNE_EVIDENCE = `
  with gone as (delete from evidence e where operation_id = $1 and ${OLD_EVIDENCE} returning *)
  insert into tombstones (actor, kind, operation_id, objects, bytes, sha256)
    select $2, 'evidence', $1, count(*), sum(octet_length(row_to_json(gone)::text)),
        encode(sha256(string_agg(sha256(convert_to(row_to_json(gone)::text, 'UTF8')), '' order by id)), 'hex')
      from gone having count(*) > 0
    returning objects, bytes`;

/** $1 age, ms. */
export const DUE_KEYS = `
  select count(*) as objects, coalesce(sum(octet_length(row_to_json(i)::text)), 0) as bytes from idempotency i
    where at < now() - $1::float8 * interval '1 millisecond'`;

/** A few at a time, so that no command waits for it. $1 age, ms, $2 how many. */
export const PRUNE_KEYS = `
  with gone as (delete from idempotency where ctid = any (array(
      select ctid from idempotency where at < now() - $1::float8 * interval '1 millisecond' limit $2 for update skip locked)) returning *)
  select count(*) as objects, coalesce(sum(octet_length(row_to_json(gone)::text)), 0) as bytes from gone`;

/** One line for all keys of a run. $1 actor, $2 how many, $3 bytes. */
export const TOMBSTONE_KEYS = `insert into tombstones (actor, kind, objects, bytes) values ($1, 'idempotency_keys', $2, $3)`;

/**
 * What succeeded was collected before it succeeded; anything else may be looked at by a person until its operation is over.
 * Never of an end that is unknown or not confirmed (S13). $1 and $2 ages, ms.
 */
export const DUE_FOLDERS = `
  select a.id, a.operation_id, a.node_key, a.number, a.fence, a.run_root, a.host
    from attempts a join operations o on o.id = a.operation_id
    where a.forgotten_at is null and a.run_root <> ''
      and ((a.status = 'succeeded' and a.ended_at < now() - $1::float8 * interval '1 millisecond')
        or (a.status in ('failed', 'unproven', 'cancelled') and o.ended_at is not null
          and greatest(a.ended_at, o.ended_at) < now() - $2::float8 * interval '1 millisecond'))
    order by a.host, a.ended_at, a.id`;

/** $1 attempt, $2 actor. */
export const FORGOTTEN = `
  with mark as (update attempts set forgotten_at = now() where id = $1 and forgotten_at is null returning id, operation_id)
  insert into tombstones (actor, kind, operation_id, attempt_id, objects) select $2, 'run_folders', operation_id, id, 1 from mark`;

/** $1 ms. */
export const CLAIM_TURN = `update installation set pruned_at = now()
    where pruned_at is null or pruned_at < now() - $1::float8 * interval '1 millisecond' returning true`;
