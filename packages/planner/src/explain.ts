import type { Binding, Plan } from '@capstan/model';

/** The decision about one requirement with all its candidates (L7), or null if the plan has no such requirement. */
export function explain(plan: Plan, requirement: string): Binding | null {
  return plan.bindings.find((binding) => binding.requirement === requirement) ?? null;
}
