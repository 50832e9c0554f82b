import { directNeighbours } from './direct-neighbours';
import type { GraphEdge, GraphNode, PlanGraph } from './graph-model';
import { NODE_SIZES } from './graph-model';
import { grouped } from './grouped';
import type { PlanNodeView, PlanView } from './plan-view';
import { hostOf } from './plan-view';

/** Up to this many nodes of one job stand beside each other; more become one stack [UX-E3]. */
const STACK_ABOVE = 8;

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
  const keys = [...members.keys()];
  const { before, after } = neighbours(plan, boxOf, keys);
  const named = naming(keys);

  const nodes = [...members].map(([key, group], place): GraphNode => {
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
      before: named(before[place]),
      after: named(after[place]),
    };
  });
  return { lanes: plan.stages, nodes, edges: edgesOf(nodes, before) };
}

/** Places as keys; equal lists stay one list, since behind a barrier a hundred boxes have the same. */
function naming(keys: readonly string[]): (places: readonly number[] | undefined) => readonly string[] {
  const known = new Map<readonly number[], readonly string[]>();
  return (places = []) => {
    const names = known.get(places) ?? places.map((place) => keys[place] as string);
    known.set(places, names);
    return names;
  };
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

/** Boxes as their places in plan order: numbers, because there may be 100,000 edges. */
function neighbours(plan: PlanView, boxOf: ReadonlyMap<string, string>, keys: readonly string[]) {
  const placeOfBox = new Map(keys.map((key, place) => [key, place]));
  const placeOf = new Map([...boxOf].map(([node, box]) => [node, placeOfBox.get(box) as number]));
  const all: number[][] = keys.map(() => []);
  // The box that a place was last noted for: one edge between two stacks, however many members it has.
  const noted = new Int32Array(keys.length).fill(-1);
  const byBox = grouped(plan.nodes, (node) => boxOf.get(node.key) as string);
  for (const [key, group] of byBox) {
    const to = placeOfBox.get(key) as number;
    for (const node of group)
      for (const dependency of node.dependsOn) {
        const from = placeOf.get(dependency);
        // One host after the other within a stack is no edge of the picture.
        if (from === undefined || from === to || noted[from] === to) continue;
        noted[from] = to;
        all[to]?.push(from);
      }
  }
  const before = directNeighbours(all);
  const after: number[][] = keys.map(() => []);
  for (const [to, froms] of before.entries()) for (const from of froms) after[from]?.push(to);
  return { before, after };
}

/** From this many edges on, a complete barrier between two stages is drawn as one edge between their lanes. */
const BARRIER_FROM = 7;

function edgesOf(nodes: readonly GraphNode[], before: readonly (readonly number[])[]): readonly GraphEdge[] {
  const groups = between(nodes, before);
  const isBarrier = ({ from, to, count, sources, targets }: Between) =>
    from !== to && count === sources.size * targets && count >= BARRIER_FROM;
  const edges: GraphEdge[] = [...groups.values()]
    .filter(isBarrier)
    .map(({ from, to }) => ({ id: `${from}⇒${to}`, kind: 'lane', from, to }));
  for (const [place, { key: to, stage }] of nodes.entries()) {
    const drawn = new Map<string, boolean>();
    for (const source of before[place] ?? []) {
      const from = nodes[source] as GraphNode;
      let one = drawn.get(from.stage);
      if (one === undefined) {
        one = !isBarrier(groups.get(`${from.stage}\n${stage}`) as Between);
        drawn.set(from.stage, one);
      }
      if (one) edges.push({ id: `${from.key}→${to}`, kind: 'node', from: from.key, to });
    }
  }
  return edges;
}

/** How many edges lead from one stage to another. */
interface Between {
  readonly from: string;
  readonly to: string;
  readonly sources: Set<number>;
  targets: number;
  count: number;
}

function between(nodes: readonly GraphNode[], before: readonly (readonly number[])[]): Map<string, Between> {
  const found = new Map<string, Between>();
  for (const [to, node] of nodes.entries()) {
    // One look per stage and not per edge: what a node waits for comes from few stages.
    const ofStage = new Map<string, Between>();
    for (const from of before[to] ?? []) {
      const stage = nodes[from]?.stage ?? '';
      let group = ofStage.get(stage);
      if (group === undefined) {
        const id = `${stage}\n${node.stage}`;
        group = found.get(id) ?? { from: stage, to: node.stage, sources: new Set(), targets: 0, count: 0 };
        group.targets += 1;
        found.set(id, group);
        ofStage.set(stage, group);
      }
      group.sources.add(from);
      group.count += 1;
    }
  }
  return found;
}
