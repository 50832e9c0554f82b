import type { PreviewedBinding, PreviewedPlan } from './documents';

/** Bindings that say the same of several steps: one capability from one provider for one reason. */
export interface BindingGroup {
  readonly key: string;
  readonly name: string;
  readonly binding: PreviewedBinding;
  /** Keys of the steps that it is for; none for a requirement of the scenario itself. */
  readonly steps: readonly string[];
}

type Step = Pick<PreviewedPlan['nodes'][number], 'key'>;

/** Groups the bindings of a plan, in the order of their first step. A plan of many hosts says the same thing many times. */
export function groupedBindings(
  bindings: readonly PreviewedBinding[],
  nodes: readonly Step[],
): readonly BindingGroup[] {
  const keys = new Set(nodes.map(({ key }) => key));
  const groups = new Map<string, { name: string; binding: PreviewedBinding; steps: string[] }>();
  for (const binding of bindings) {
    // `<node key>/<capability>` of a step, or the name that the scenario gives to a requirement of its own.
    const slash = binding.requirement.lastIndexOf('/');
    const step = binding.requirement.slice(0, slash);
    const isStep = slash > 0 && keys.has(step);
    const name = isStep ? binding.requirement.slice(slash + 1) : binding.requirement;
    const key = JSON.stringify([name, binding.provider, binding.kind, binding.reason.text]);
    const group = groups.get(key) ?? { name, binding, steps: [] };
    if (isStep) group.steps.push(step);
    groups.set(key, group);
  }
  return [...groups].map(([key, group]) => ({ key, ...group }));
}
