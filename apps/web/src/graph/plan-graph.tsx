// biome-ignore-all lint/a11y/noNoninteractiveTabindex: the canvas is the one tab stop of the graph [UX-E21]
'use client';

import '@xyflow/react/dist/base.css';
import { ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react';
import { useTranslations } from 'next-intl';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { canvasEdges, canvasNodes } from './canvas-nodes';
import { CanvasToolbar } from './canvas-toolbar';
import { type Decorations, NO_DECORATIONS } from './decoration';
import { boxFor } from './from-plan';
import type { Gesture } from './gesture';
import type { PlanGraph } from './graph-model';
import { canvasKey } from './keys';
import styles from './plan-graph.module.css';
import { CanvasContext } from './shapes/canvas-context';
import { GateShape } from './shapes/gate';
import { JobShape } from './shapes/job';
import { LaneShape } from './shapes/lane';
import { StackShape } from './shapes/stack';
import { SubOperationShape } from './shapes/sub-operation';
import type { GraphLayout } from './stage-lanes';
import { useGraphLayout } from './use-graph-layout';
import { firstViewport, minZoomFor, panInto } from './view-fit';
import type { Viewport } from './viewport';
import { walk } from './walk';

export interface PlanGraphProps {
  readonly graph: PlanGraph;
  readonly decorations?: Decorations;
  /** What the canvas is for. `run` and `plan` offer no change; the editor adds its own mode. */
  readonly mode: 'run' | 'plan';
  /** A plan node's key; a member of a closed stack selects the stack. */
  readonly selection: string | null;
  /** Where to stand at first; null: so that the plan, or what is selected, is seen. */
  readonly viewport?: Viewport | null;
  readonly onGesture: (gesture: Gesture) => void;
}

/** The one canvas for plans and runs. It draws and reports gestures; nothing of the plan can change here [UX-E26]. */
export function PlanGraphCanvas(props: PlanGraphProps) {
  const layout = useGraphLayout(props.graph);
  return (
    <div
      className={styles.frame}
      data-testid="plan-graph"
      data-mode={props.mode}
      data-ready={layout !== null}
    >
      {layout === null ? null : (
        <ReactFlowProvider>
          <Canvas {...props} layout={layout} />
        </ReactFlowProvider>
      )}
    </div>
  );
}

// Outside of the component: new objects here would mount every node anew.
const NODE_TYPES = {
  job: JobShape,
  gate: GateShape,
  sub_operation: SubOperationShape,
  stack: StackShape,
  lane: LaneShape,
};
/** Below this zoom nothing can be read: boxes are drawn as their status alone [UX-N3]. */
const LOW_DETAIL_BELOW = 0.5;
const PAN_MS = 220;

function Canvas({
  graph,
  layout,
  decorations = NO_DECORATIONS,
  selection,
  viewport,
  onGesture,
}: PlanGraphProps & { layout: GraphLayout }) {
  const words = useTranslations('graph');
  const flow = useReactFlow();
  const frame = useRef<HTMLDivElement>(null);
  const [lowDetail, setLowDetail] = useState(false);
  const selected = selection === null ? null : (boxFor(graph, selection)?.key ?? null);

  const nodes = useMemo(() => canvasNodes(graph, layout), [graph, layout]);
  const shown = useMemo(
    () =>
      nodes.map((node) =>
        node.type !== 'lane' && node.id === selected
          ? { ...node, data: { ...node.data, selected: true } }
          : node,
      ),
    [nodes, selected],
  );
  const edges = useMemo(() => canvasEdges(graph, layout, selected), [graph, layout, selected]);
  const context = useMemo(() => ({ onGesture, decorations, lowDetail }), [onGesture, decorations, lowDetail]);

  const start = useMemo(
    // Only at first: afterwards the reader alone moves the canvas.
    () => (size: DOMRect) => viewport ?? firstViewport(graph, layout, size, selected),
    [graph, layout, selected, viewport],
  );
  const placed = useRef(false);
  const place = useCallback(() => {
    const size = frame.current?.getBoundingClientRect();
    if (size === undefined || placed.current) return;
    placed.current = true;
    const first = start(size);
    setLowDetail(first.zoom < LOW_DETAIL_BELOW);
    void flow.setViewport(first);
  }, [flow, start]);

  const former = useRef(selected);
  useEffect(() => {
    // What is selected elsewhere (list, link, arrow key) comes into view; what is in view does not move.
    if (selected === former.current || selected === null) return;
    former.current = selected;
    const size = frame.current?.getBoundingClientRect();
    const at = layout.nodes[selected];
    const node = graph.nodes.find(({ key }) => key === selected);
    if (size === undefined || at === undefined || node === undefined) return;
    const next = panInto(flow.getViewport(), size, { ...at, ...node.size });
    if (next !== null) void flow.setViewport(next, { duration: reducedMotion() ? 0 : PAN_MS });
  }, [selected, layout, graph, flow]);

  const onKeyDown = (event: KeyboardEvent) => {
    const command = canvasKey(event);
    if (command === null) return;
    event.preventDefault();
    const duration = reducedMotion() ? 0 : PAN_MS;
    switch (command.kind) {
      case 'walk': {
        const from = selected ?? graph.nodes[0]?.key;
        if (from === undefined) return;
        return onGesture({
          kind: 'select',
          key: selected === null ? from : walk(graph, layout, from, command.step),
        });
      }
      case 'open':
        if (selected === null) return;
        return onGesture(
          selected.startsWith('stack:') && command.kind === 'open'
            ? { kind: 'toggle_stack', key: selected }
            : { kind: 'open', key: selected },
        );
      case 'back':
        return onGesture({ kind: 'select', key: null });
      case 'zoom':
        if (command.to === 'in') void flow.zoomIn({ duration });
        else if (command.to === 'out') void flow.zoomOut({ duration });
        else if (command.to === 'one') void flow.zoomTo(1, { duration });
        else void flow.fitView({ duration, padding: 0.08 });
        return;
    }
  };

  return (
    <CanvasContext value={context}>
      <div
        ref={frame}
        className={styles.canvas}
        // An application, because the arrow keys mean edges and siblings here.
        role="application"
        aria-label={words('canvas.name', { count: graph.nodes.length })}
        aria-describedby="plan-graph-keys"
        aria-activedescendant={selected === null ? undefined : `node-${selected}`}
        data-testid="plan-canvas"
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <p id="plan-graph-keys" className={styles.hidden}>
          {words('canvas.keys')}
        </p>
        <ReactFlow
          nodes={shown}
          edges={edges}
          nodeTypes={NODE_TYPES}
          onInit={place}
          onNodeClick={(_, node) =>
            node.type === 'lane' ? undefined : onGesture({ kind: 'select', key: node.id })
          }
          onNodeDoubleClick={(_, node) => {
            if (node.type === 'stack') onGesture({ kind: 'toggle_stack', key: node.id });
            else if (node.type !== 'lane') onGesture({ kind: 'open', key: node.id });
          }}
          onPaneClick={() => onGesture({ kind: 'select', key: null })}
          onMove={(_, to) => setLowDetail(to.zoom < LOW_DETAIL_BELOW)}
          onMoveEnd={(_, to) => onGesture({ kind: 'move', viewport: to })}
          minZoom={minZoomFor(graph)}
          maxZoom={2}
          panOnScroll
          zoomOnDoubleClick={false}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          deleteKeyCode={null}
          selectionKeyCode={null}
          multiSelectionKeyCode={null}
          disableKeyboardA11y
          onlyRenderVisibleElements
          proOptions={{ hideAttribution: true }}
          ariaLabelConfig={{
            'handle.ariaLabel': words('canvas.handle'),
            'node.a11yDescription.default': words('canvas.keys'),
            'node.a11yDescription.keyboardDisabled': words('canvas.keys'),
            'edge.a11yDescription.default': words('canvas.edge'),
          }}
        />
      </div>
      <CanvasToolbar
        onZoom={(to) => {
          const duration = reducedMotion() ? 0 : PAN_MS;
          if (to === 'in') void flow.zoomIn({ duration });
          else if (to === 'out') void flow.zoomOut({ duration });
          else void flow.fitView({ duration, padding: 0.08 });
        }}
      />
    </CanvasContext>
  );
}

function reducedMotion(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}
