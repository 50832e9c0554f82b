import type { Statement } from './statement.js';

/**
 * Keeps a chunk only at the end of what is stored, so two followers never write twice; answers the size now. $1 attempt,
 * $2 offset, $3 bytes.
 */
export const APPEND_LOG: Statement = {
  name: 'append_log',
  text: `with log as (
      insert into attempt_logs as l (attempt_id, size) select $1, length($3::bytea)
        where $2::bigint = 0 or exists (select from attempt_logs where attempt_id = $1)
      on conflict (attempt_id) do update set size = l.size + length($3::bytea) where l.size = $2::bigint
      returning size),
    chunk as (insert into log_chunks (attempt_id, start, bytes) select $1, $2, $3 from log)
    select size from log`,
};

/** $1 attempt. */
export const LOG_SIZE: Statement = {
  name: 'log_size',
  text: 'select size from attempt_logs where attempt_id = $1',
};

/** The chunks that hold bytes of [$2, $3), in order. $1 attempt. */
export const READ_LOG: Statement = {
  name: 'read_log',
  text: `select start, bytes from log_chunks where attempt_id = $1 and start < $3
      and start >= coalesce((select max(start) from log_chunks where attempt_id = $1 and start <= $2), 0)
    order by start`,
};
