'use client';

import { Handle, Position } from '@xyflow/react';
import { type ReactNode, useContext } from 'react';
import type { GraphNode } from '../graph-model';
import { type Look, lookOf, NODE_LOOKS } from '../status-look';
import type { NodeStatusView } from '../status-source';
import tones from '../tones.module.css';
import { CanvasContext } from './canvas-context';
import styles from './shapes.module.css';

interface BoxProps {
  readonly node: GraphNode;
  readonly selected: boolean;
  readonly view: NodeStatusView | undefined;
  /** What the words inside say, for when there are none. */
  readonly name: string;
  readonly children: ReactNode;
}

/** The look of a node that does not run: its outline only. */
export const PLANNED: Look = { glyph: 'ring', tone: 'idle' };

/** The frame that all shapes share: fixed size, anchors for edges, status as data, selection, decoration. */
export function Box({ node, selected, view, name, children }: BoxProps) {
  const { decorations, lowDetail } = useContext(CanvasContext);
  const look = view === undefined ? PLANNED : lookOf(NODE_LOOKS, view.status);
  const decoration = decorations.get(node.key);
  return (
    <div
      id={`node-${node.key}`}
      role="button"
      tabIndex={-1}
      // In full its words are its name, as they are seen; without words it needs one.
      aria-label={lowDetail ? name : undefined}
      aria-pressed={selected}
      className={`${styles.box} ${tones[look.tone]}`}
      style={node.size}
      data-kind={node.kind}
      data-job-id={node.key}
      data-status={view?.status ?? 'planned'}
      data-selected={selected || undefined}
      data-dim={decoration?.dim || undefined}
      data-detail={lowDetail ? 'low' : 'full'}
      title={lowDetail ? name : undefined}
    >
      {/* Beside for what comes from another column, above and below within a chain. */}
      <Handle
        type="target"
        id="left"
        position={Position.Left}
        isConnectable={false}
        className={styles.anchor}
      />
      <Handle
        type="target"
        id="top"
        position={Position.Top}
        isConnectable={false}
        className={styles.anchor}
      />
      {children}
      <Handle
        type="source"
        id="right"
        position={Position.Right}
        isConnectable={false}
        className={styles.anchor}
      />
      <Handle
        type="source"
        id="bottom"
        position={Position.Bottom}
        isConnectable={false}
        className={styles.anchor}
      />
      {decoration === undefined ? null : (
        <span className={styles.decoration}>
          {decoration.glyph}
          {decoration.badge === null ? null : ` ${decoration.badge}`}
        </span>
      )}
    </div>
  );
}
