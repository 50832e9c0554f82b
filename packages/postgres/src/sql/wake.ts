import type { Statement } from './statement.js';

/** Task of the queue: "somebody look at this operation". */
export const WAKE_TASK = 'wake';

/** Channel on which a command tells the driver, wherever it is, that it wrote the operation. */
export const CHANGED_CHANNEL = 'capstan_operation';

/**
 * $1 operation. `unsafe_dedupe` is the only mode that never starts a second job beside a running one; a job that could
 * not be added again because it "failed for ever" is ruled out by the highest limit there is. A wake-up beside a job that is
 * not completed yet is swallowed, even when that has woken somebody who is done already: the sweep finds what it was for.
 */
export const WAKE: Statement = {
  name: 'wake',
  text: `select from graphile_worker.add_job('${WAKE_TASK}', json_build_object('operationId', $1::text), job_key := 'wake:' || $1::text,
    job_key_mode := 'unsafe_dedupe', max_attempts := 32767)`,
};

/** $1 operation. */
export const TELL_CHANGED: Statement = {
  name: 'tell_changed',
  text: `select pg_notify('${CHANGED_CHANNEL}', $1)`,
};
