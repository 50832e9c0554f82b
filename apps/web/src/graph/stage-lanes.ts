import { type Arranged, arrangeStage, arrangeStageByRanks } from './arrange-stage';
import type { LayoutInput } from './graph-model';
import { grouped } from './grouped';

export interface LaneBox {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where everything stands; `x`, `y` are the upper left corners in canvas units. */
export interface GraphLayout {
  readonly lanes: readonly LaneBox[];
  readonly nodes: Readonly<Record<string, { readonly x: number; readonly y: number }>>;
  readonly width: number;
  readonly height: number;
  /** What laid out the inside of the stages; `ranks` is the fallback. */
  readonly by: 'dagre' | 'ranks';
}

const LANE_HEAD = 48;
const LANE_PADDING = 16;
const LANE_GAP = 44;

/**
 * Lays the stages out as lanes left to right, and each stage inside its lane. A stage knows nothing of the others, so a
 * job more in one moves none of another one's by more than a row.
 */
export function layoutLanes(graph: LayoutInput, by: GraphLayout['by']): GraphLayout {
  const byStage = grouped(graph.nodes, (node) => node.stage);
  const arrange = by === 'dagre' ? arrangeStage : arrangeStageByRanks;
  // A stage without jobs keeps its lane: the reader counts the plan's stages.
  const stages = graph.lanes.map((lane) => ({ lane, inside: arrange(byStage.get(lane.id) ?? []) }));
  const inner = Math.max(...stages.map(({ inside }) => inside.height), 0);
  const height = LANE_HEAD + inner + 2 * LANE_PADDING;

  const nodes: Record<string, { x: number; y: number }> = {};
  const lanes: LaneBox[] = [];
  let x = 0;
  for (const { lane, inside } of stages) {
    const width = inside.width + 2 * LANE_PADDING;
    lanes.push({ id: lane.id, x, y: 0, width, height });
    place(nodes, inside, x + LANE_PADDING, LANE_HEAD + LANE_PADDING);
    x += width + LANE_GAP;
  }
  return { lanes, nodes, width: Math.max(0, x - LANE_GAP), height, by };
}

function place(into: Record<string, { x: number; y: number }>, inside: Arranged, x: number, y: number): void {
  for (const [key, at] of inside.at) into[key] = { x: x + at.x, y: y + at.y };
}
