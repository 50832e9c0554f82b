import type { PlanNodeView, PlanView } from '../graph/plan-view';

/** The node of a key, when the plan has it. */
export function planNodeOf(plan: PlanView, key: string): PlanNodeView | undefined {
  return plan.nodes.find((node) => node.key === key);
}

/** What people call a node: the title of its job. */
export function titleOfNode(plan: PlanView, key: string): string {
  const node = planNodeOf(plan, key);
  return plan.jobs.find((job) => job.id === node?.job)?.title ?? key;
}
