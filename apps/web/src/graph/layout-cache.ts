import { type LayoutInput, layoutInput, type PlanGraph, structureHash } from './graph-model';
import { type GraphLayout, layoutLanes } from './stage-lanes';

/** Lays out elsewhere; rejects when that place is not there. */
export type RemoteLayout = (graph: LayoutInput) => Promise<GraphLayout>;

export interface LayoutOptions {
  readonly remote: RemoteLayout | null;
  /** How long the remote may take before ranks are used instead, in ms. */
  readonly deadlineMs?: number;
  /** Up to this many nodes nothing is gained by asking elsewhere. */
  readonly localUpTo?: number;
}

/** Layouts by structure hash: a status change, a reload of the same plan or a way back finds its picture here. */
export interface LayoutCache {
  /** The layout, when it is known or small enough to make at once. */
  now(graph: PlanGraph): GraphLayout | null;
  /** The layout, whatever it takes; never rejects. */
  later(graph: PlanGraph): Promise<GraphLayout>;
}

/** Makes a cache. A remote that fails or is late costs the nicer picture only: ranks need no more than some milliseconds. */
export function createLayoutCache(options: LayoutOptions): LayoutCache {
  const { remote, deadlineMs = 1_500, localUpTo = 100 } = options;
  const known = new Map<string, GraphLayout>();
  const keep = (hash: string, layout: GraphLayout) => {
    known.set(hash, layout);
    return layout;
  };
  return {
    now(graph) {
      const hash = structureHash(graph);
      const layout = known.get(hash);
      if (layout !== undefined) return layout;
      if (graph.nodes.length <= localUpTo || remote === null)
        return keep(
          hash,
          layoutLanes(layoutInput(graph), graph.nodes.length <= localUpTo ? 'dagre' : 'ranks'),
        );
      return null;
    },
    async later(graph) {
      const hash = structureHash(graph);
      const layout = this.now(graph);
      if (layout !== null || remote === null)
        return layout ?? keep(hash, layoutLanes(layoutInput(graph), 'ranks'));
      return keep(
        hash,
        (await inTime(remote(layoutInput(graph)), deadlineMs)) ?? layoutLanes(layoutInput(graph), 'ranks'),
      );
    },
  };
}

function inTime(work: Promise<GraphLayout>, deadlineMs: number): Promise<GraphLayout | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), deadlineMs);
    const settle = (layout: GraphLayout | null) => {
      clearTimeout(timer);
      resolve(layout);
    };
    // A worker that the browser refuses is no failure of the page: `null` leads to ranks.
    work.then(settle, () => settle(null));
  });
}
