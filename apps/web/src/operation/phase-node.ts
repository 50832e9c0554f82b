import type { PlanView } from '../graph/plan-view';
import type { OperationLive } from '../live/operation-store';

const BY_INTEREST: readonly (readonly string[])[] = [
  ['failed', 'unproven', 'unknown'],
  ['running', 'verifying'],
  ['ready'],
];

/** The node that somebody who wants details of now wants to see [UX-S6]: what stopped, else what runs, else what is next. */
export function phaseNode(plan: PlanView, live: OperationLive): string | null {
  for (const statuses of BY_INTEREST) {
    const node = plan.nodes.find(({ key }) => statuses.includes(live.rows.get(key)?.status ?? ''));
    if (node !== undefined) return node.key;
  }
  return null;
}
