import { Graph, layout } from '@dagrejs/dagre';
import { type LayoutNode, NODE_SIZES } from './graph-model';

/** The inside of one stage; `at` is relative to its upper left corner. */
export interface Arranged {
  readonly width: number;
  readonly height: number;
  readonly at: ReadonlyMap<string, { readonly x: number; readonly y: number }>;
}

const COLUMN_GAP = 48;
const ROW_GAP = 16;
/** Room for an arrow between two boxes of a chain. */
const CHAIN_GAP = 28;
/** A longer chain leaves the screen; it goes on to the right instead. */
const CHAIN_UP_TO = 12;
/** dagre's cost grows faster than its picture gains: 100 nodes took 176 ms, ranks take 1 ms. */
const DAGRE_UP_TO = 24;

/** Arranges the nodes of a stage left to right: by dagre where edges cross and the stage is small, else by ranks. */
export function arrangeStage(nodes: readonly LayoutNode[]): Arranged {
  const keys = new Set(nodes.map((node) => node.key));
  const edges = nodes.flatMap((node) =>
    node.before.filter((key) => keys.has(key)).map((from) => [from, node.key]),
  );
  // Without a node that waits for two or hands on to two there is nothing to uncross.
  if (nodes.length > DAGRE_UP_TO || edges.length < nodes.length || nodes.length < 4)
    return arrangeStageByRanks(nodes);

  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: ROW_GAP, ranksep: COLUMN_GAP, edgesep: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) graph.setNode(node.key, { ...node.size });
  for (const [from, to] of edges) graph.setEdge(from as string, to as string);
  layout(graph);
  const corners = nodes.map((node) => {
    const { x, y } = graph.node(node.key) as { x: number; y: number };
    return { node, x: Math.round(x - node.size.width / 2), y: Math.round(y - node.size.height / 2) };
  });
  const left = Math.min(...corners.map((corner) => corner.x));
  const top = Math.min(...corners.map((corner) => corner.y));
  return {
    width: Math.max(...corners.map(({ node, x }) => x - left + node.size.width)),
    height: Math.max(...corners.map(({ node, y }) => y - top + node.size.height)),
    at: new Map(corners.map(({ node, x, y }) => [node.key, { x: x - left, y: y - top }])),
  };
}

/** Arranges a stage by longest path, order within a rank by the middle of what it waits for. O(nodes + edges). */
export function arrangeStageByRanks(nodes: readonly LayoutNode[]): Arranged {
  if (nodes.length === 0)
    return { width: NODE_SIZES.job.width, height: NODE_SIZES.job.height, at: new Map() };
  const ranks = ranksOf(nodes);
  // One after the other: down the lane, which keeps lanes narrow and the whole plan readable.
  if (ranks.every((rank) => rank.length === 1) && nodes.length <= CHAIN_UP_TO) return chain(ranks.flat());
  const rows = rowLimit(nodes.length);
  const at = new Map<string, { x: number; y: number }>();
  const row = new Map<string, number>();
  let x = 0;
  let height = 0;
  for (const rank of ranks) {
    const ordered = rank
      .map((node, index) => ({ node, index, want: wanted(node, row) }))
      .sort((a, b) => a.want - b.want || a.index - b.index);
    for (let start = 0; start < ordered.length; start += rows) {
      let y = 0;
      let width = 0;
      for (const [index, { node }] of ordered.slice(start, start + rows).entries()) {
        at.set(node.key, { x, y });
        row.set(node.key, index);
        y += node.size.height + ROW_GAP;
        width = Math.max(width, node.size.width);
      }
      height = Math.max(height, y - ROW_GAP);
      x += width + COLUMN_GAP;
    }
  }
  return { width: x - COLUMN_GAP, height, at: centred(nodes, at, height) };
}

function chain(nodes: readonly LayoutNode[]): Arranged {
  const at = new Map<string, { x: number; y: number }>();
  let y = 0;
  for (const node of nodes) {
    at.set(node.key, { x: 0, y });
    y += node.size.height + CHAIN_GAP;
  }
  return { width: Math.max(...nodes.map((node) => node.size.width)), height: y - CHAIN_GAP, at };
}

/** A column of 1,000 is unreadable, and so is a line of 1,000: wide ranks wrap into a block about as high as wide. */
function rowLimit(count: number): number {
  return Math.max(8, Math.ceil(Math.sqrt(count) * 1.6));
}

function ranksOf(nodes: readonly LayoutNode[]): readonly (readonly LayoutNode[])[] {
  const rank = new Map<string, number>();
  const ranks: LayoutNode[][] = [];
  // Plan order respects every edge, so what a node waits for is ranked already (a stack may stand before part of it).
  for (const node of nodes) {
    const own = Math.max(-1, ...node.before.map((key) => rank.get(key) ?? -1)) + 1;
    rank.set(node.key, own);
    for (let missing = ranks.length; missing <= own; missing++) ranks.push([]);
    ranks[own]?.push(node);
  }
  return ranks.filter((nodes) => nodes.length > 0);
}

function wanted(node: LayoutNode, row: ReadonlyMap<string, number>): number {
  const rows = node.before.flatMap((key) => row.get(key) ?? []);
  return rows.length === 0 ? 0 : rows.reduce((sum, value) => sum + value, 0) / rows.length;
}

/** Columns shorter than the tallest stand in its middle, so that fan-out and fan-in look like what they are. */
function centred(
  nodes: readonly LayoutNode[],
  at: ReadonlyMap<string, { x: number; y: number }>,
  height: number,
) {
  const bottoms = new Map<number, number>();
  for (const node of nodes) {
    const { x, y } = at.get(node.key) as { x: number; y: number };
    bottoms.set(x, Math.max(bottoms.get(x) ?? 0, y + node.size.height));
  }
  return new Map(
    [...at].map(([key, { x, y }]) => [
      key,
      { x, y: y + (height <= 640 ? Math.round((height - (bottoms.get(x) as number)) / 2) : 0) },
    ]),
  );
}
