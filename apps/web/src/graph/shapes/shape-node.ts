import type { Node } from '@xyflow/react';
import type { GraphLane, GraphNode } from '../graph-model';

/** A box of the canvas. Replaced only when its node or its selection changes: status never passes through here. */
export type ShapeNode = Node<{ readonly node: GraphNode; readonly selected: boolean }, GraphNode['kind']>;

/** A stage behind its boxes. */
export type LaneNode = Node<{ readonly lane: GraphLane; readonly members: readonly string[] }, 'lane'>;

export type CanvasNode = ShapeNode | LaneNode;
