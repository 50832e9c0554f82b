import type { Plan, PlanNode } from './plan.js';
import { PositionHeap } from './position-heap.js';
import type { Problem } from './problem.js';
import { text } from './text.js';

/** What the graph queries need of a node. */
export interface GraphNode {
  readonly key: string;
  readonly dependsOn: readonly string[];
}

export type NodeOrder<T> =
  | { readonly ok: true; readonly order: readonly T[] }
  | { readonly ok: false; readonly cycle: readonly string[] };

/**
 * Every law that a plan's graph must keep: unique keys, known edges, stages, jobs and checks, no cycle, and a provider
 * for each need and input that is upstream or bound. An empty list means that the plan is whole.
 */
export function validatePlan(plan: Plan): readonly Problem[] {
  const shape = [...duplicateKeys(plan), ...unknownReferences(plan)];
  if (shape.length > 0) return shape;
  const sorted = topologicalOrder(plan.nodes);
  if (!sorted.ok) return [cycleProblem(sorted.cycle)];
  return unprovided(plan);
}

/**
 * The nodes in an order that respects every edge: among the nodes that could come next, the one first in the given
 * list. Edges to unknown keys are ignored. With a cycle: its path, first key repeated at the end.
 */
export function topologicalOrder<T extends GraphNode>(nodes: readonly T[]): NodeOrder<T> {
  const position = new Map(nodes.map((node, index) => [node.key, index]));
  const waiting = nodes.map((node) => new Set(node.dependsOn.filter((key) => position.has(key))).size);
  const successors = successorsOf(nodes);
  const free = new PositionHeap();
  waiting.forEach((count, index) => {
    if (count === 0) free.push(index);
  });
  const order: T[] = [];
  for (let index = free.pop(); index !== undefined; index = free.pop()) {
    const node = nodes[index] as T;
    order.push(node);
    for (const key of successors.get(node.key) ?? []) {
      const next = position.get(key) as number;
      waiting[next] = (waiting[next] as number) - 1;
      if (waiting[next] === 0) free.push(next);
    }
  }
  return order.length === nodes.length
    ? { ok: true, order }
    : { ok: false, cycle: findCycle(nodes, new Set(order.map((node) => node.key))) };
}

/** Every node that must be over before this one starts. The node itself is not among them. */
export function upstreamOf(nodes: readonly GraphNode[], key: string): ReadonlySet<string> {
  const edges = new Map(nodes.map((node) => [node.key, node.dependsOn]));
  return reach(key, (at) => edges.get(at) ?? []);
}

/** Every node that waits for this one, directly or through others. The node itself is not among them. */
export function downstreamOf(nodes: readonly GraphNode[], key: string): ReadonlySet<string> {
  const successors = successorsOf(nodes);
  return reach(key, (at) => successors.get(at) ?? []);
}

/** The problem that names a cycle by its path. */
export function cycleProblem(cycle: readonly string[]): Problem {
  return {
    code: 'cycle',
    text: text('plan.cycle', { path: cycle.join(' → ') }),
    expected: 'no node waits for itself',
  };
}

function successorsOf(nodes: readonly GraphNode[]): ReadonlyMap<string, readonly string[]> {
  const successors = new Map<string, string[]>(nodes.map((node) => [node.key, []]));
  for (const node of nodes) for (const key of new Set(node.dependsOn)) successors.get(key)?.push(node.key);
  return successors;
}

function reach(from: string, next: (key: string) => readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [...next(from)];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    open.push(...next(key));
  }
  return seen;
}

/** Among the nodes that could not be ordered each has an unordered dependency: walking those must come back. */
function findCycle(nodes: readonly GraphNode[], ordered: ReadonlySet<string>): readonly string[] {
  const rest = new Map(nodes.filter((node) => !ordered.has(node.key)).map((node) => [node.key, node]));
  const walk: string[] = [];
  const at = new Map<string, number>();
  let key = [...rest.keys()][0] as string;
  while (!at.has(key)) {
    at.set(key, walk.length);
    walk.push(key);
    key = (rest.get(key) as GraphNode).dependsOn.find((dependency) => rest.has(dependency)) as string;
  }
  const path = walk.slice(at.get(key)).reverse();
  return [...path, path[0] as string];
}

function duplicateKeys(plan: Plan): readonly Problem[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const node of plan.nodes) (seen.has(node.key) ? twice : seen).add(node.key);
  return [...twice].map((key) => ({ code: 'duplicate_id', text: text('plan.duplicate_key', { key }) }));
}

function unknownReferences(plan: Plan): readonly Problem[] {
  const keys = new Set(plan.nodes.map((node) => node.key));
  const stages = new Set(plan.stages.map((stage) => stage.id));
  const problems: Problem[] = [];
  const unknown = (node: PlanNode, what: string, name: string): void => {
    problems.push({
      code: 'unknown_reference',
      text: text('plan.unknown_in_node', { node: node.key, what, name }),
    });
  };
  for (const node of plan.nodes) {
    for (const key of node.dependsOn) if (!keys.has(key)) unknown(node, 'node', key);
    if (!stages.has(node.stage)) unknown(node, 'stage', node.stage);
    if (node.job !== null && !Object.hasOwn(plan.jobs, node.job)) unknown(node, 'job', node.job);
    for (const { check } of node.checks)
      if (!Object.hasOwn(plan.checks, check)) unknown(node, 'check', check);
  }
  return problems;
}

function unprovided(plan: Plan): readonly Problem[] {
  const problems: Problem[] = [];
  const generated = new Set(plan.generate.map((entry) => `${entry.owner} ${entry.artifact}`));
  for (const node of plan.nodes) {
    const direct = new Set(node.dependsOn);
    let all: ReadonlySet<string> | null = null;
    const above = (key: string): boolean => {
      if (direct.has(key)) return true;
      all ??= upstreamOf(plan.nodes, node.key);
      return all.has(key);
    };
    const refuse = (name: string, subject: string, provider: string): void => {
      problems.push({
        code: 'unmet_requirement',
        text: text('plan.provider_not_upstream', { node: node.key, name, subject, provider }),
      });
    };
    for (const need of node.needs) {
      if (need.provider !== 'fact' && !above(need.provider))
        refuse(need.capability, need.subject, need.provider);
    }
    const own = node.checks.flatMap((check) => check.inputs).filter((input) => input.provider !== node.key);
    for (const input of [...node.inputs, ...own]) {
      const bound =
        input.provider === 'stored' ||
        (input.provider === 'generated' && generated.has(`${input.owner} ${input.name}`));
      if (!bound && !above(input.provider)) refuse(input.name, input.owner, input.provider);
    }
  }
  return problems;
}
