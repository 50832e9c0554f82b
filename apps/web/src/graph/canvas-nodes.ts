import { type Edge, MarkerType, Position } from '@xyflow/react';
import type { PlanGraph, Size } from './graph-model';
import { grouped } from './grouped';
import type { CanvasNode } from './shapes/shape-node';
import type { GraphLayout } from './stage-lanes';

/** Lane ids must not meet node keys. */
const laneId = (stage: string) => `lane:${stage}`;

/** What React Flow draws. All sizes are given, so it measures nothing, and culled boxes keep their edges. */
export function canvasNodes(graph: PlanGraph, layout: GraphLayout): readonly CanvasNode[] {
  const byStage = grouped(graph.nodes, (node) => node.stage);
  const titles = new Map(graph.lanes.map((lane) => [lane.id, lane]));
  const lanes = layout.lanes.map((box): CanvasNode => {
    const size = { width: box.width, height: box.height };
    return {
      id: laneId(box.id),
      type: 'lane',
      position: { x: box.x, y: box.y },
      ...sized(size),
      zIndex: -1,
      data: {
        lane: titles.get(box.id) ?? { id: box.id, title: box.id },
        members: (byStage.get(box.id) ?? []).flatMap((node) => node.members),
      },
    };
  });
  const boxes = graph.nodes.map(
    (node): CanvasNode => ({
      id: node.key,
      type: node.kind,
      position: layout.nodes[node.key] ?? { x: 0, y: 0 },
      ...sized(node.size),
      data: { node, selected: false },
    }),
  );
  return [...lanes, ...boxes];
}

/** Edges, those at the selected box drawn stronger. */
export function canvasEdges(graph: PlanGraph, layout: GraphLayout, selected: string | null): Edge[] {
  return graph.edges.map((edge): Edge => {
    const lane = edge.kind === 'lane';
    const near = !lane && (edge.from === selected || edge.to === selected);
    return {
      id: edge.id,
      source: lane ? laneId(edge.from) : edge.from,
      target: lane ? laneId(edge.to) : edge.to,
      ...handlesOf(layout, edge),
      className: near ? 'near' : '',
      focusable: false,
      markerEnd: {
        type: MarkerType.ArrowClosed,
        width: 14,
        height: 14,
        color: near ? 'var(--mantine-primary-color-filled)' : 'var(--plan-edge)',
      },
    };
  });
}

/** Down where the next box of a chain stands below, else from one side to the other. */
function handlesOf(layout: GraphLayout, { from, to }: { readonly from: string; readonly to: string }) {
  const [a, b] = [layout.nodes[from], layout.nodes[to]];
  const below = a !== undefined && b !== undefined && a.x === b.x && b.y > a.y;
  return { sourceHandle: below ? 'bottom' : 'right', targetHandle: below ? 'top' : 'left' };
}

function sized({ width, height }: Size) {
  const middle = height / 2;
  return {
    width,
    height,
    measured: { width, height },
    draggable: false,
    selectable: false,
    handles: [
      { id: 'left', type: 'target' as const, position: Position.Left, x: 0, y: middle, width: 1, height: 1 },
      { id: 'top', type: 'target' as const, position: Position.Top, x: width / 2, y: 0, width: 1, height: 1 },
      {
        id: 'right',
        type: 'source' as const,
        position: Position.Right,
        x: width,
        y: middle,
        width: 1,
        height: 1,
      },
      {
        id: 'bottom',
        type: 'source' as const,
        position: Position.Bottom,
        x: width / 2,
        y: height,
        width: 1,
        height: 1,
      },
    ],
  };
}
