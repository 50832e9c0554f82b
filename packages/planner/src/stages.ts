import type { Outcome, Problem, Stage } from '@capstan/model';
import { cycleProblem, ok, refused, text, topologicalOrder } from '@capstan/model';
import { expectedName } from './nearest.js';

/** The stages of a scenario as the DAG that `after:` makes of them (S21). */
export interface StageOrder {
  /** In an order that respects every barrier, otherwise as listed. */
  readonly listed: readonly Stage[];
  /** Place of a stage in {@link listed}. */
  place(stage: string): number;
  /** Whether every node of `later` waits for every node of `earlier`. */
  isAfter(later: string, earlier: string): boolean;
}

/** Orders the stages, or says which barrier points nowhere or in a circle. */
export function orderStages(stages: readonly Stage[]): Outcome<StageOrder> {
  const ids = stages.map((stage) => stage.id);
  const problems: Problem[] = stages.flatMap((stage) =>
    stage.after
      .filter((id) => !ids.includes(id))
      .map((id) => ({
        code: 'unknown_reference' as const,
        text: text('plan.unknown_stage', { stage: stage.id, after: id }),
        expected: expectedName(id, ids),
      })),
  );
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  problems.push(
    ...twice.map((id) => ({
      code: 'duplicate_id' as const,
      text: text('plan.duplicate_stage', { stage: id }),
    })),
  );
  if (problems.length > 0) return refused(...problems);

  const sorted = topologicalOrder(stages.map((stage) => ({ key: stage.id, dependsOn: stage.after, stage })));
  if (!sorted.ok) return refused(cycleProblem(sorted.cycle));
  const before = new Map<string, ReadonlySet<string>>();
  for (const { stage } of sorted.order) {
    before.set(stage.id, new Set(stage.after.flatMap((id) => [id, ...(before.get(id) ?? [])])));
  }
  const places = new Map(sorted.order.map(({ key }, index) => [key, index]));
  return ok({
    listed: sorted.order.map(({ stage }) => stage),
    place: (stage) => places.get(stage) ?? stages.length,
    isAfter: (later, earlier) => before.get(later)?.has(earlier) ?? false,
  });
}

/** What the barrier needs of a node: where it stands and what it waits for so far. */
export interface StagedNode {
  readonly key: string;
  readonly stage: string;
  readonly edges: Set<string>;
}

/**
 * Adds the barrier edges: the first nodes of a stage wait for the last nodes of every stage that it is after. First and
 * last by the edges inside the stage, so the barrier holds for all of them with the fewest edges. A stage without
 * nodes hands its own predecessors on.
 */
export function addBarriers(order: StageOrder, nodes: readonly StagedNode[]): void {
  const byStage = new Map<string, StagedNode[]>(order.listed.map((stage) => [stage.id, []]));
  for (const node of nodes) byStage.get(node.stage)?.push(node);
  const lasts = new Map<string, readonly string[]>();
  for (const stage of order.listed) {
    const members = byStage.get(stage.id) ?? [];
    const keys = new Set(members.map((node) => node.key));
    const inside = new Map(members.map((node) => [node.key, [...node.edges].filter((key) => keys.has(key))]));
    const waitedFor = new Set([...inside.values()].flat());
    const predecessors = [...new Set(stage.after.flatMap((id) => lasts.get(id) ?? []))];
    lasts.set(stage.id, members.length === 0 ? predecessors : [...keys].filter((key) => !waitedFor.has(key)));
    for (const node of members) {
      if ((inside.get(node.key) as string[]).length === 0)
        for (const key of predecessors) node.edges.add(key);
    }
  }
}
