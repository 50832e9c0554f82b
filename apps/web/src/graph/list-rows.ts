import type { GraphLane, GraphNode, PlanGraph } from './graph-model';
import { grouped } from './grouped';

/** A row of the list view: a stage, an opened stack, or a node (a closed stack is a node). */
export type ListRow =
  | {
      readonly kind: 'stage';
      readonly key: string;
      readonly level: 1;
      readonly lane: GraphLane;
      readonly open: boolean;
      readonly members: readonly string[];
    }
  | {
      readonly kind: 'stack';
      readonly key: string;
      readonly level: 2;
      readonly title: string;
      readonly members: readonly string[];
    }
  | { readonly kind: 'node'; readonly key: string; readonly level: 2 | 3; readonly node: GraphNode };

/** The same graph as rows of a tree [UX-E22]; `folded` names the stages whose rows are hidden. */
export function listRows(graph: PlanGraph, folded: ReadonlySet<string>): readonly ListRow[] {
  const byStage = grouped(graph.nodes, (node) => node.stage);
  return graph.lanes.flatMap((lane): ListRow[] => {
    const nodes = byStage.get(lane.id) ?? [];
    const open = !folded.has(lane.id);
    const stage: ListRow = {
      kind: 'stage',
      key: `stage:${lane.id}`,
      level: 1,
      lane,
      open,
      members: nodes.flatMap((node) => node.members),
    };
    return open ? [stage, ...nodeRows(nodes)] : [stage];
  });
}

/** Where an arrow leads in the tree; `fold`/`unfold` change it instead. */
export type ListMove =
  | { readonly kind: 'to'; readonly index: number }
  | { readonly kind: 'fold' | 'unfold'; readonly row: ListRow };

/** The meaning of a key in a tree table (WAI-ARIA treegrid): right opens, then goes in; left closes, then goes out. */
export function listMove(rows: readonly ListRow[], index: number, key: string): ListMove | null {
  const row = rows[index];
  const to = (next: number): ListMove => ({
    kind: 'to',
    index: Math.max(0, Math.min(rows.length - 1, next)),
  });
  switch (key) {
    case 'ArrowDown':
      return to(index + 1);
    case 'ArrowUp':
      return to(index - 1);
    case 'PageDown':
      return to(index + 10);
    case 'PageUp':
      return to(index - 10);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'ArrowRight':
      if (row === undefined) return null;
      return isFolded(row) ? { kind: 'unfold', row } : row.kind === 'node' ? null : to(index + 1);
    case 'ArrowLeft':
      if (row === undefined) return null;
      if (row.kind === 'stack' || (row.kind === 'stage' && row.open)) return { kind: 'fold', row };
      return to(rows.findLastIndex((other, at) => at < index && other.level < row.level));
    default:
      return null;
  }
}

function isFolded(row: ListRow): boolean {
  return (row.kind === 'stage' && !row.open) || (row.kind === 'node' && row.node.kind === 'stack');
}

function nodeRows(nodes: readonly GraphNode[]): readonly ListRow[] {
  const groups = grouped(nodes, (node) => node.stack ?? node.key);
  return [...groups].flatMap(([key, members]): ListRow[] => {
    const [first] = members;
    if (first?.stack !== key) return members.map((node) => ({ kind: 'node', key: node.key, level: 2, node }));
    return [
      { kind: 'stack', key, level: 2, title: first.title, members: members.map((node) => node.key) },
      ...members.map((node): ListRow => ({ kind: 'node', key: node.key, level: 3, node })),
    ];
  });
}
