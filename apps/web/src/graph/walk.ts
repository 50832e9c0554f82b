import type { GraphNode, PlanGraph } from './graph-model';
import type { GraphLayout } from './stage-lanes';

export type Step = 'left' | 'right' | 'up' | 'down' | 'first' | 'last';

/**
 * Where an arrow key leads [UX-E20]: left and right along edges, to the nearest in height; up and down to the next box
 * of the same column, then of the same stage. The key itself when there is nothing that way.
 */
export function walk(graph: PlanGraph, layout: GraphLayout, from: string, step: Step): string {
  const node = graph.nodes.find(({ key }) => key === from);
  if (step === 'first' || node === undefined) return graph.nodes[0]?.key ?? from;
  if (step === 'last') return graph.nodes.at(-1)?.key ?? from;
  if (step === 'left') return nearest(layout, node, node.before) ?? from;
  if (step === 'right') return nearest(layout, node, node.after) ?? from;
  return sibling(graph, layout, node, step) ?? from;
}

function nearest(layout: GraphLayout, node: GraphNode, keys: readonly string[]): string | null {
  const own = layout.nodes[node.key];
  let best: { key: string; distance: number } | null = null;
  for (const key of keys) {
    const at = layout.nodes[key];
    if (own === undefined || at === undefined) continue;
    // Height counts most: the eye follows a row; of two in a row the closer one.
    const distance = Math.abs(at.y - own.y) * 4 + Math.abs(at.x - own.x);
    if (best === null || distance < best.distance) best = { key, distance };
  }
  return best?.key ?? null;
}

function sibling(graph: PlanGraph, layout: GraphLayout, node: GraphNode, step: 'up' | 'down'): string | null {
  const inStage = graph.nodes
    .filter((other) => other.stage === node.stage)
    .map((other) => ({ key: other.key, at: layout.nodes[other.key] ?? { x: 0, y: 0 } }))
    .sort((a, b) => a.at.x - b.at.x || a.at.y - b.at.y);
  const index = inStage.findIndex((other) => other.key === node.key);
  return inStage[index + (step === 'down' ? 1 : -1)]?.key ?? null;
}
