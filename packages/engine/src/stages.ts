import type { NodeState, OperationState, Plan } from '@capstan/model';
import { needsPerson } from '@capstan/model';
import type { StageWrite } from './ports/operation-store.js';

/** Stage states are a projection of node states, rewritten in the same commit, never decisions of their own (S21). */
export function stagesTouched(
  plan: Pick<Plan, 'stages' | 'nodes'>,
  state: OperationState,
  touched: ReadonlySet<string>,
): readonly StageWrite[] {
  const members = new Map<string, NodeState[]>();
  const wanted = new Set<string>();
  for (const node of plan.nodes) {
    const run = state.nodes.get(node.key);
    if (!run) continue;
    const list = members.get(node.stage);
    if (list) list.push(run);
    else members.set(node.stage, [run]);
    if (touched.has(node.key)) wanted.add(node.stage);
  }
  return plan.stages.filter((s) => wanted.has(s.id)).map((s) => project(s.id, members.get(s.id) ?? []));
}

/** Every stage, for the first write of an operation. */
export function allStages(
  plan: Pick<Plan, 'stages' | 'nodes'>,
  state: OperationState,
): readonly StageWrite[] {
  return stagesTouched(plan, state, new Set(plan.nodes.map((n) => n.key)));
}

function project(id: string, nodes: readonly NodeState[]): StageWrite {
  const done = nodes.filter(
    (n) => n.status === 'succeeded' || n.status === 'skipped' || n.status === 'superseded',
  ).length;
  const status: StageWrite['status'] = nodes.some((n) => needsPerson(n.status))
    ? 'needs_attention'
    : done === nodes.length
      ? 'succeeded'
      : nodes.some((n) => n.status === 'cancelled')
        ? 'cancelled'
        : done > 0 || nodes.some((n) => n.status === 'running' || n.status === 'verifying')
          ? 'running'
          : 'pending';
  return { id, status, done, total: nodes.length, sequence: Math.max(0, ...nodes.map((n) => n.sequence)) };
}
