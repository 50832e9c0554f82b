import type { PlanGraph } from './graph-model';
import type { GraphLayout } from './stage-lanes';
import type { Viewport } from './viewport';

interface Frame {
  readonly width: number;
  readonly height: number;
}

interface Rectangle extends Frame {
  readonly x: number;
  readonly y: number;
}

const MARGIN = 24;
/** Below it nothing can be read, so a plan that does not fit is shown in part. */
const READABLE = 0.7;

/** Where to stand at first: the whole plan where it can be read, else its beginning or what is selected. */
export function firstViewport(
  graph: PlanGraph,
  layout: GraphLayout,
  frame: Frame,
  selected: string | null,
): Viewport {
  const fit = Math.min(
    1,
    (frame.width - 2 * MARGIN) / Math.max(1, layout.width),
    (frame.height - 2 * MARGIN) / Math.max(1, layout.height),
  );
  const zoom = Math.max(READABLE, fit);
  const centred: Viewport = {
    x: zoom * layout.width <= frame.width ? (frame.width - zoom * layout.width) / 2 : MARGIN,
    y:
      zoom * layout.height <= frame.height
        ? Math.min(MARGIN * 2, (frame.height - zoom * layout.height) / 2)
        : MARGIN,
    zoom,
  };
  const node = graph.nodes.find(({ key }) => key === selected);
  const at = selected === null ? undefined : layout.nodes[selected];
  if (node === undefined || at === undefined) return centred;
  return panInto(centred, frame, { ...at, ...node.size }) ?? centred;
}

/** The viewport moved so that a box is seen whole, with room around it; null when it is seen already. */
export function panInto(viewport: Viewport, frame: Frame, box: Rectangle): Viewport | null {
  const dx = shift(viewport.x + box.x * viewport.zoom, box.width * viewport.zoom, frame.width);
  const dy = shift(viewport.y + box.y * viewport.zoom, box.height * viewport.zoom, frame.height);
  return dx === 0 && dy === 0 ? null : { x: viewport.x + dx, y: viewport.y + dy, zoom: viewport.zoom };
}

/** How far out: far enough for all of it, and of a big plan no farther than what can be drawn smoothly [UX-N3]. */
export function minZoomFor(graph: PlanGraph): number {
  return graph.nodes.length > 300 ? 0.3 : 0.1;
}

function shift(start: number, length: number, available: number): number {
  if (start < MARGIN) return MARGIN - start;
  const over = start + length + MARGIN - available;
  return over > 0 ? -over : 0;
}
