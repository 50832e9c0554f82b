import { directNeighbours } from './direct-neighbours';
import type { GraphEdge, GraphNode, PlanGraph } from './graph-model';
import { NODE_SIZES } from './graph-model';
import { grouped } from './grouped';
import type { PlanNodeView, PlanView } from './plan-view';
import { hostOf } from './plan-view';

/** Up to this many nodes of one job stand beside each other; more become one stack [UX-E3]. */
export const STACK_ABOVE = 8;

export interface PlanGraphOptions {
  /** Keys of stacks that the reader opened. */
  readonly open?: ReadonlySet<string>;
  /** What to write under a node instead of its host. */
  readonly detail?: (node: PlanNodeView) => string | null;
}

/** Draws a plan: its stages as lanes, its nodes as boxes, wide fan-outs as stacks, barriers between stages as one edge. */
export function graphFromPlan(plan: PlanView, options: PlanGraphOptions = {}): PlanGraph {
  const titles = new Map(plan.jobs.map((job) => [job.id, job.title]));
  const stacks = stacksOf(plan);
  const open = options.open ?? new Set();
  const boxOf = new Map(
    plan.nodes.map(({ key }) => {
      const stack = stacks.get(key);
      return [key, stack === undefined || open.has(stack) ? key : stack];
    }),
  );
  const members = grouped(plan.nodes, (node) => boxOf.get(node.key) as string);
  const { before, after } = neighbours(plan, boxOf, [...members.keys()]);

  const nodes = [...members].map(([key, group]): GraphNode => {
    const first = group[0] as PlanNodeView;
    const stacked = key !== first.key;
    const kind = stacked ? 'stack' : first.kind;
    return {
      key,
      kind,
      stage: first.stage,
      title: (first.job === null ? undefined : titles.get(first.job)) ?? first.key,
      detail: stacked ? null : (options.detail?.(first) ?? hostOf(first.target)),
      added: first.origin === 'planner' || first.origin === 'patch',
      size: NODE_SIZES[kind],
      members: group.map((node) => node.key),
      stack: stacked ? null : (stacks.get(key) ?? null),
      before: before.get(key) ?? [],
      after: after.get(key) ?? [],
    };
  });
  return { lanes: plan.stages, nodes, edges: edgesOf(nodes) };
}

/** The key of the box that stands for this plan node, in whichever graph of the plan. */
export function boxFor(graph: PlanGraph, nodeKey: string): GraphNode | null {
  return graph.nodes.find((node) => node.key === nodeKey || node.members.includes(nodeKey)) ?? null;
}

/** Node → the stack that it belongs to, whether that is open or not. */
function stacksOf(plan: PlanView): ReadonlyMap<string, string> {
  const alike = grouped(
    plan.nodes.filter((node) => node.kind === 'job' && node.job !== null),
    (node) => `stack:${node.stage}/${node.job}`,
  );
  return new Map(
    [...alike].flatMap(([stack, group]) =>
      group.length > STACK_ABOVE ? group.map((node) => [node.key, stack] as const) : [],
    ),
  );
}

function neighbours(plan: PlanView, boxOf: ReadonlyMap<string, string>, keys: readonly string[]) {
  const all = new Map<string, Set<string>>(keys.map((key) => [key, new Set()]));
  for (const node of plan.nodes) {
    const to = boxOf.get(node.key) as string;
    for (const dependency of node.dependsOn) {
      const from = boxOf.get(dependency);
      // One host after the other within a stack is no edge of the picture.
      if (from !== undefined && from !== to) all.get(to)?.add(from);
    }
  }
  const before = directNeighbours(keys, all);
  const after = new Map<string, string[]>(keys.map((key) => [key, []]));
  for (const [to, froms] of before) for (const from of froms) after.get(from)?.push(to);
  return { before, after };
}

/** From this many edges on, a complete barrier between two stages is drawn as one edge between their lanes. */
const BARRIER_FROM = 7;

function edgesOf(nodes: readonly GraphNode[]): readonly GraphEdge[] {
  const stageOf = new Map(nodes.map((node) => [node.key, node.stage]));
  const all = nodes.flatMap((node) => node.before.map((from) => ({ from, to: node.key })));
  const between = grouped(all, ({ from, to }) => `${stageOf.get(from)}\n${stageOf.get(to)}`);
  return [...between].flatMap(([pair, edges]): GraphEdge[] => {
    const [from, to] = pair.split('\n') as [string, string];
    const sources = new Set(edges.map((edge) => edge.from));
    const targets = new Set(edges.map((edge) => edge.to));
    const complete = edges.length === sources.size * targets.size;
    if (from !== to && complete && edges.length >= BARRIER_FROM)
      return [{ id: `${from}⇒${to}`, kind: 'lane', from, to }];
    return edges.map((edge) => ({ id: `${edge.from}→${edge.to}`, kind: 'node', ...edge }));
  });
}
