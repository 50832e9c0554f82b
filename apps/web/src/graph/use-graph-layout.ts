'use client';

import { useEffect, useState } from 'react';
import { type PlanGraph, structureHash } from './graph-model';
import { createLayoutCache } from './layout-cache';
import { workerLayout } from './layout-worker-client';
import type { GraphLayout } from './stage-lanes';

/** One for the page: going back to a plan finds its picture. */
const cache = createLayoutCache({ remote: typeof Worker === 'undefined' ? null : workerLayout() });

/** The layout of a graph; null while a big one is made in the worker. A former picture stays until the next is there. */
export function useGraphLayout(graph: PlanGraph): GraphLayout | null {
  const now = cache.now(graph);
  const [made, setMade] = useState<{ hash: string; layout: GraphLayout } | null>(null);
  useEffect(() => {
    if (cache.now(graph) !== null) return;
    let wanted = true;
    void cache.later(graph).then((layout) => {
      if (wanted) setMade({ hash: structureHash(graph), layout });
    });
    return () => {
      wanted = false;
    };
  }, [graph]);
  return now ?? (made !== null && made.hash === structureHash(graph) ? made.layout : null);
}
