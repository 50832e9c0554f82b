/** What a box of the graph stands for; a stack is many nodes of one job. */
export type GraphNodeKind = 'job' | 'gate' | 'sub_operation' | 'stack';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A stage, drawn as a lane. */
export interface GraphLane {
  readonly id: string;
  readonly title: string;
}

export interface GraphNode {
  /** The plan node's key; of a stack `stack:<stage>/<job>`. */
  readonly key: string;
  readonly kind: GraphNodeKind;
  readonly stage: string;
  readonly title: string;
  /** The host, or what a sub-operation makes. */
  readonly detail: string | null;
  /** Put there by the planner or a patch, not by the template. */
  readonly added: boolean;
  readonly size: Size;
  /** Plan node keys that a stack stands for, in plan order; of any other node only its own key. */
  readonly members: readonly string[];
  /** The stack that it came out of when the reader opened it. */
  readonly stack: string | null;
  /** Graph keys that it waits for and that wait for it: what the arrow keys walk. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** `lane` edges stand for "everything of this stage before everything of that one". */
export interface GraphEdge {
  readonly id: string;
  readonly kind: 'node' | 'lane';
  readonly from: string;
  readonly to: string;
}

/** The one picture of a plan that canvas, list, editor and diff share. It holds no status: a status change is no new graph. */
export interface PlanGraph {
  readonly lanes: readonly GraphLane[];
  /** In plan order. */
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** The part of a graph that layout needs: a stage knows only its own boxes and what they wait for among themselves. */
export interface LayoutInput {
  readonly lanes: readonly { readonly id: string }[];
  readonly nodes: readonly LayoutNode[];
}

export type LayoutNode = Pick<GraphNode, 'key' | 'stage' | 'size' | 'before'>;

/** Takes that part out: what goes to a worker is copied, and barriers are most of a big graph. */
export function layoutInput(graph: PlanGraph): LayoutInput {
  const stageOf = new Map(graph.nodes.map((node) => [node.key, node.stage]));
  return {
    lanes: graph.lanes.map(({ id }) => ({ id })),
    nodes: graph.nodes.map(({ key, stage, size, before }) => ({
      key,
      stage,
      size,
      before: before.filter((from) => stageOf.get(from) === stage),
    })),
  };
}

/** Sizes are fixed, so that layout needs no measuring and culling does not flicker. */
export const NODE_SIZES: Readonly<Record<GraphNodeKind, Size>> = {
  job: { width: 224, height: 72 },
  gate: { width: 224, height: 72 },
  sub_operation: { width: 224, height: 80 },
  stack: { width: 224, height: 128 },
};

/** A hash of what layout depends on: keys, lanes, kinds, sizes and edges. Equal hashes mean an equal layout. */
export function structureHash(graph: PlanGraph): string {
  const known = HASHES.get(graph);
  if (known !== undefined) return known;
  const hash = hashOf(graph);
  HASHES.set(graph, hash);
  return hash;
}

/** A graph is never changed, and its hash is asked for at every drawing. */
const HASHES = new WeakMap<PlanGraph, string>();

function hashOf(graph: PlanGraph): string {
  // FNV-1a over UTF-16 units, two lanes of 32 bits: it keys a cache of this tab, nobody attacks it.
  let a = 0x811c9dc5;
  let b = 0x01000193;
  const add = (value: string) => {
    for (let i = 0; i <= value.length; i++) {
      const unit = i === value.length ? 0xffff : value.charCodeAt(i);
      a = Math.imul(a ^ unit, 0x01000193);
      b = Math.imul(b ^ (unit + 0x9e37), 0x85ebca6b);
    }
  };
  for (const lane of graph.lanes) add(lane.id);
  for (const node of graph.nodes) add(`${node.key} ${node.stage} ${node.size.width}x${node.size.height}`);
  for (const edge of graph.edges) add(edge.id);
  return `${(a >>> 0).toString(16)}${(b >>> 0).toString(16)}:${graph.nodes.length}`;
}
