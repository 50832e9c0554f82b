import type { NodeState } from '@capstan/model';
import { isAttemptEnd, reason } from '@capstan/model';
import type { Batch } from './batch.js';

/** Kills what runs; when every host has answered, the operation is cancelled, or asks about what was not confirmed (C10). */
export function advanceCancel(batch: Batch): void {
  const { state } = batch;
  for (const node of state.nodes.values()) {
    const attempt = state.attempts.get(node.key);
    if (node.status === 'pending' || node.status === 'ready')
      batch.emit({ type: 'node_cancelled', nodeKey: node.key });
    else if (
      (node.status === 'running' || node.status === 'verifying') &&
      attempt &&
      !isAttemptEnd(attempt.status) &&
      attempt.status !== 'cancelling'
    ) {
      batch.emit({ type: 'attempt_cancelling', nodeKey: node.key, attemptId: attempt.id });
    }
  }
  const all = [...state.nodes.values()];
  if (all.some((n) => n.status === 'running' || n.status === 'verifying' || isCancelledAgain(n))) return;
  const unconfirmed = all.filter(
    (n) => state.attempts.get(n.key)?.status === 'cancel_unconfirmed' && n.status === 'unknown',
  );
  if (unconfirmed.length === 0) batch.emit({ type: 'operation_cancelled' });
  else
    batch.emit({
      type: 'operation_needs_attention',
      reasons: unconfirmed.map((n) => ({ nodeKey: n.key, reason: reason('cancel_unconfirmed') })),
    });
}

/** A second cancel of an attempt whose kill was not confirmed asks its host once more; the end state of the attempt stays. */
export function applyCancelledAgain(batch: Batch, node: NodeState, confirmed: boolean): void {
  if (!isCancelledAgain(node)) return;
  if (confirmed) batch.emit({ type: 'node_cancelled', nodeKey: node.key });
  else batch.emit({ type: 'node_waiting', nodeKey: node.key, reason: reason('cancel_unconfirmed') });
}

/** Whether a person asked again to kill what could not be confirmed dead, and the host has not answered yet. */
export function isCancelledAgain(node: NodeState): boolean {
  return (
    node.status === 'unknown' &&
    node.reason?.code === 'cancel_unconfirmed' &&
    node.reason.args['again'] === 'yes'
  );
}
