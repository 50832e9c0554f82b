import type { Actor, Outcome } from '@capstan/model';
import { isAttemptEnd, isEnd, needsPerson, ok, reason, refused, stoppedNodes, text } from '@capstan/model';
import { Batch } from './batch.js';
import type { OperationChange, StoredOperation } from './ports/operation-store.js';
import { rebuild } from './rebuild.js';

/** Cancel: what has not started is cancelled now; what runs is killed by the driver and confirmed by its host (C10). */
export function decideCancel(stored: StoredOperation, actor: Actor): Outcome<OperationChange> {
  const batch = begin(stored, actor);
  const { state } = batch;
  if (isEnd(state.status)) return illegal('cancel', stored);
  if (state.status === 'cancelling') return illegal('cancel', stored);
  batch.emit({ type: 'operation_cancelling' });
  for (const node of state.nodes.values()) {
    if (node.status === 'pending' || node.status === 'ready')
      batch.emit({ type: 'node_cancelled', nodeKey: node.key });
    if (node.status === 'unknown' && state.attempts.get(node.key)?.status === 'cancel_unconfirmed') {
      batch.emit({
        type: 'node_waiting',
        nodeKey: node.key,
        reason: reason('cancel_unconfirmed', { again: 'yes' }),
      });
    }
  }
  const alive = [...state.nodes.values()].some((n) => {
    const attempt = state.attempts.get(n.key);
    return (attempt && !isAttemptEnd(attempt.status)) || n.reason?.args['again'] === 'yes';
  });
  if (!alive) batch.emit({ type: 'operation_cancelled' });
  return ok(batch.toChange(0));
}

/** Retry: one stopped node, or every stopped node; what is finished stays finished (L5, V16). */
export function decideRetry(
  stored: StoredOperation,
  actor: Actor,
  nodeKey: string | null,
): Outcome<OperationChange> {
  const batch = begin(stored, actor);
  const { state } = batch;
  if (isEnd(state.status) || state.status === 'cancelling') return illegal('retry', stored);
  if (nodeKey !== null) {
    const node = state.nodes.get(nodeKey);
    if (!node)
      return refused({
        code: 'not_found',
        text: text('retry.no_node', { node: nodeKey, operation: stored.number }),
        expected: [...state.nodes.keys()].join(', '),
      });
    if (!needsPerson(node.status))
      return refused({
        code: 'illegal_state',
        text: text('retry.node_not_stopped', { node: nodeKey, status: node.status }),
      });
    batch.emit({ type: 'node_retry_requested', nodeKey });
  } else {
    const stopped = stoppedNodes(state);
    if (stopped.length === 0 && state.reason?.code !== 'provides_unproven') {
      return refused({
        code: 'illegal_state',
        text: text('retry.nothing_stopped', { operation: stored.number, status: state.status }),
      });
    }
    for (const node of stopped) batch.emit({ type: 'node_retry_requested', nodeKey: node.key });
  }
  if (state.status === 'needs_attention') batch.emit({ type: 'operation_resumed' });
  return ok(batch.toChange(0));
}

function begin(stored: StoredOperation, actor: Actor): Batch {
  return new Batch(rebuild(stored), stored.plan, actor);
}

function illegal(what: 'cancel' | 'retry', stored: StoredOperation): Outcome<never> {
  return refused({
    code: 'illegal_state',
    text: text(`${what}.operation_over`, { operation: stored.number, status: stored.status }),
  });
}
