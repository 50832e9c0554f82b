import type { Statement } from './statement.js';

/** $1 operation, $2 after this sequence, $3 how many. */
export const LIST_EVENTS: Statement = {
  name: 'list_events',
  text: `select sequence, v, type, actor, node_key, attempt_id, data, at from events
    where operation_id = $1 and sequence > $2 order by sequence limit $3`,
};

/** What was removed of an operation's events after a sequence. $1 operation, $2 sequence. */
export const READ_EVENT_GAP: Statement = {
  name: 'read_event_gap',
  text: `select first_sequence as first, last_sequence as last, at, actor, sha256 from tombstones
    where operation_id = $1 and kind = 'events' and last_sequence > $2 order by last_sequence desc limit 1`,
};

/** In plan order. $1 operation. */
export const LIST_STAGES: Statement = {
  name: 'list_stages',
  text: 'select id, status, done, total, sequence from stages where operation_id = $1 order by ordinal',
};

/**
 * Nothing is added to the output of an attempt that is over, whether or not it ever had any: one that found everything
 * satisfied has no log, and that log is whole.
 */
const ATTEMPTS = `select a.*, coalesce(l.size, 0) as log_size, (coalesce(l.complete, false) or a.ended_at is not null) as log_complete, coalesce(l.edition, 0) as log_edition,
      l.cut_from as log_cut_from, l.cut_to as log_cut_to, t.at as log_pruned_at, t.sha256 as log_sha256
    from attempts a left join attempt_logs l on l.attempt_id = a.id
      left join tombstones t on l.pruned_at is not null and t.operation_id = a.operation_id and t.attempt_id = a.id and t.kind in ('logs', 'failed_logs')`;

/** $1 operation, $2 node keys or null. */
export const LIST_ATTEMPTS: Statement = {
  name: 'list_attempts',
  text: `${ATTEMPTS} where a.operation_id = $1 and ($2::text[] is null or a.node_key = any ($2)) order by a.node_key, a.number`,
};

/** $1 operations, $2 node keys, pairwise. */
export const LIST_ATTEMPTS_OF_NODES: Statement = {
  name: 'list_attempts_of_nodes',
  text: `${ATTEMPTS} where a.operation_id = any ($1::text[])
      and (a.operation_id, a.node_key) in (select * from unnest($1::text[], $2::text[]))
    order by a.operation_id, a.node_key, a.number`,
};

/** $1 ids. */
export const LIST_ATTEMPTS_BY_ID: Statement = {
  name: 'list_attempts_by_id',
  text: `${ATTEMPTS} where a.id = any ($1::text[])`,
};

/** In the order in which it was recorded. $1 operation, $2 node keys or null. */
export const LIST_EVIDENCE: Statement = {
  name: 'list_evidence',
  text: `select * from evidence where operation_id = $1 and ($2::text[] is null or node_key = any ($2)) order by recorded_at, id`,
};

/**
 * Events of every operation in an order that never changes behind a reader: by transaction, and only below the oldest
 * one still running, else a commit that comes late would be skipped for ever. $1 tx and $2 id to go on after, $3 limit.
 */
export const LIST_EVENTS_ACROSS: Statement = {
  name: 'list_events_across',
  text: `select operation_id, tx::text as tx, id::text as id, sequence, v, type, actor, node_key, attempt_id, data, at from events
    where (tx, id) > ($1::text::xid8, $2::bigint) and tx < pg_snapshot_xmin(pg_current_snapshot())
    order by tx, id limit $3`,
};

/** Changes when the database was restored, failed over, or rewound: positions of readers mean nothing then. */
export const READ_EPOCH: Statement = {
  name: 'read_epoch',
  text: `select feed_epoch || '.' || (select system_identifier from pg_control_system())::text || '.'
      || ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int as epoch
    from installation`,
};
