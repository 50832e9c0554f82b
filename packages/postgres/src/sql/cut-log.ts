import type { Statement } from './statement.js';

/**
 * Takes out the middle of a log: whole chunks between the head and the tail, so that every other byte keeps its offset. The
 * cut only grows. $1 attempt, $2 first byte that may go, $3 first byte that stays.
 */
export const CUT_LOG: Statement = {
  name: 'cut_log',
  text: `with gone as (
      delete from log_chunks where attempt_id = $1 and start >= $2::bigint and start + length(bytes) <= $3::bigint
      returning start, length(bytes) as length)
    update attempt_logs l set cut_from = least(l.cut_from, g.first), cut_to = greatest(l.cut_to, g.last)
      from (select min(start) as first, max(start + length) as last from gone) g
      where l.attempt_id = $1 and g.first is not null`,
};

/** Widens a cut by $2 bytes at both sides, by whole chunks. $1 attempt. */
export const WIDEN_CUT: Statement = {
  name: 'widen_cut',
  text: `with cut as (select cut_from, cut_to from attempt_logs where attempt_id = $1 and cut_from is not null),
    gone as (
      delete from log_chunks k using cut where k.attempt_id = $1
        and k.start < cut.cut_to + $2::bigint and k.start + length(k.bytes) > cut.cut_from - $2::bigint
      returning k.start, length(k.bytes) as length)
    update attempt_logs l set cut_from = least(l.cut_from, g.first), cut_to = greatest(l.cut_to, g.last)
      from (select min(start) as first, max(start + length) as last from gone) g
      where l.attempt_id = $1 and g.first is not null`,
};
