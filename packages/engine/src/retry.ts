import type { Judgement, Run, RunEnd } from '@capstan/model';

/** Exit code by which a script says "temporary, try again" (sysexits EX_TEMPFAIL). */
const TRANSIENT_EXIT = 75;

/** New attempts after an unknown outcome, at most: an idempotent job whose host keeps losing it is a person's business. */
const UNKNOWN_LIMIT = 3;

/**
 * Milliseconds until the next automatic attempt, or null: a person decides. Only an idempotent job is ever repeated (S28),
 * and never one whose proof contradicts its exit code.
 */
export function retryDelay(
  run: Run | null,
  end: RunEnd | null,
  judgement: Judgement,
  tries: number,
): number | null {
  if (!run?.idempotent || !end || judgement.reason?.code === 'proved_but_failed') return null;
  const delay = run.retry.backoffMs * 2 ** Math.max(0, tries - 1);
  if (judgement.status === 'unknown') return tries < UNKNOWN_LIMIT ? delay : null;
  if (judgement.status !== 'failed' || tries > run.retry.limit) return null;
  const kind =
    end.kind === 'timed_out'
      ? 'timeout'
      : end.kind === 'exited' && end.code === TRANSIENT_EXIT
        ? 'transient'
        : 'failure';
  return run.retry.on.includes(kind) || run.retry.on.includes('any') ? delay : null;
}
