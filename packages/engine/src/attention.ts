import type { NodeState, Reason } from '@capstan/model';
import { needsPerson, reason, stoppedNodes } from '@capstan/model';
import type { Batch } from './batch.js';

/** Causes that only a person can remove: the operation asks at once instead of waiting quietly. */
const ASK_AT_ONCE: ReadonlySet<string> = new Set([
  'host_key_changed',
  'host_key_unknown',
  'auth_failed',
  'no_sudo',
  'needs_input',
  'disk_full',
  'not_isolated',
  'no_host_record',
  'input_missing',
]);

/** What a person is asked about now. `idle`: nothing of the operation can go on by itself. */
export function asking(batch: Batch, idle: boolean): readonly { nodeKey: string | null; reason: Reason }[] {
  const out: { nodeKey: string; reason: Reason }[] = [];
  for (const node of batch.state.nodes.values()) {
    if (isOver(node) || !node.reason) continue;
    if (asksAtOnce(node.reason)) out.push({ nodeKey: node.key, reason: node.reason });
  }
  // Independent branches go on: a failed node asks when nothing else can.
  if (idle)
    for (const n of stoppedNodes(batch.state))
      out.push({ nodeKey: n.key, reason: n.reason ?? reason('node_failed') });
  return out;
}

/** Whether a node that waits for this reason needs a person now. */
export function asksAtOnce(why: Reason): boolean {
  return ASK_AT_ONCE.has(why.code) || why.args['overdue'] === 'yes';
}

/** Whether nothing more comes of this node unless a person says so. */
export function isOver(node: NodeState): boolean {
  return (
    node.status === 'succeeded' ||
    node.status === 'cancelled' ||
    node.status === 'skipped' ||
    node.status === 'superseded' ||
    needsPerson(node.status)
  );
}

/** Hearing again why something waits is no news, even once it is overdue: else every try would flap the operation. */
export function sameReason(known: Reason | null, heard: Reason | null): boolean {
  if (known?.code !== heard?.code) return false;
  const { overdue: _, ...rest } = known?.args ?? {};
  return (
    JSON.stringify(known?.args) === JSON.stringify(heard?.args) ||
    JSON.stringify(rest) === JSON.stringify(heard?.args)
  );
}
