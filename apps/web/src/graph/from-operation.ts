import { graphFromPlan } from './from-plan';
import type { PlanGraph } from './graph-model';
import type { PlanView } from './plan-view';

/** An operation that another one waits for. */
export interface ChildView {
  readonly nodeKey: string;
  readonly number: string;
  readonly title: string;
}

/** Draws an operation: its plan, each sub-operation with what it makes. Status is read by the shapes, never stored here. */
export function graphFromOperation(
  plan: PlanView,
  children: readonly ChildView[],
  open: ReadonlySet<string>,
): PlanGraph {
  const byNode = new Map(children.map((child) => [child.nodeKey, child]));
  return graphFromPlan(plan, {
    open,
    detail: (node) => {
      const child = byNode.get(node.key);
      return child === undefined ? null : `${child.number} · ${child.title}`;
    },
  });
}
