import type { OperationState } from '@capstan/model';
import { initialState } from '@capstan/model';
import type { StoredOperation } from './ports/operation-store.js';

/** The state that a driver or a command decides on, from the stored rows. */
export function rebuild(stored: StoredOperation): OperationState {
  const state = initialState(stored.id, stored.plan.nodes);
  state.sequence = stored.sequence;
  state.status = stored.status;
  state.reason = stored.reason;
  for (const row of stored.nodes) {
    const node = state.nodes.get(row.key);
    if (node) Object.assign(node, row, { successors: node.successors });
  }
  for (const attempt of stored.attempts) {
    if (state.nodes.get(attempt.nodeKey)?.attemptId === attempt.id)
      state.attempts.set(attempt.nodeKey, { ...attempt });
  }
  state.open = [...state.nodes.values()].filter(
    (n) => n.status !== 'succeeded' && n.status !== 'skipped' && n.status !== 'superseded',
  ).length;
  return state;
}
