import type { Statement } from './statement.js';

/** The stored output of one attempt. Nothing is added to that of an attempt that is over. $1 attempt. */
export const READ_LIVE_LOG: Statement = {
  name: 'read_live_log',
  text: `select a.id, a.operation_id, coalesce(l.size, 0) as log_size, (coalesce(l.complete, false) or a.ended_at is not null) as log_complete,
      coalesce(l.edition, 0) as log_edition, l.cut_from as log_cut_from, l.cut_to as log_cut_to, t.at as log_pruned_at, t.sha256 as log_sha256
    from attempts a left join attempt_logs l on l.attempt_id = a.id
      left join tombstones t on l.pruned_at is not null and t.operation_id = a.operation_id and t.attempt_id = a.id and t.kind in ('logs', 'failed_logs')
    where a.id = $1`,
};
