import type { LayoutAnswer, LayoutRequest } from './layout-request';
import { layoutLanes } from './stage-lanes';

/** Lays out away from the page's thread: a big plan must not hold up a click. */
self.addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  const answer: LayoutAnswer = { id: data.id, layout: layoutLanes(data.graph, 'dagre') };
  self.postMessage(answer);
});
