'use client';

import { Handle, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';
import { StatusGlyph } from '../status-glyph';
import { lookOf, STAGE_LOOKS } from '../status-look';
import { useStatuses } from '../status-source';
import tones from '../tones.module.css';
import type { LaneNode } from './shape-node';
import styles from './shapes.module.css';
import { countStack } from './stack-count';

/** A stage: a lane with its name and how much of it is proved. */
export const LaneShape = memo(function LaneShape({ data: { lane, members } }: NodeProps<LaneNode>) {
  const statuses = useStatuses(members);
  const count = countStack(members, statuses);
  const look = statuses.size === 0 ? null : lookOf(STAGE_LOOKS, stageStatus(count, members.length));
  return (
    <section
      className={`${styles.lane} ${tones[look?.tone ?? 'idle']}`}
      data-stage-id={lane.id}
      aria-label={lane.title}
    >
      <Handle
        type="target"
        id="left"
        position={Position.Left}
        isConnectable={false}
        className={styles.anchor}
      />
      <header className={styles.laneHead}>
        {look === null ? null : <StatusGlyph look={look} size={18} />}
        <span className={styles.laneTitle}>{lane.title}</span>
        <span className={styles.laneCount}>
          {statuses.size === 0 ? members.length : `${count.done}/${members.length}`}
        </span>
      </header>
      <Handle
        type="source"
        id="right"
        position={Position.Right}
        isConnectable={false}
        className={styles.anchor}
      />
    </section>
  );
});

/** Green only when every step of it is proved [UX-R4]: `succeeded` of a node means that its evidence holds. */
function stageStatus(count: ReturnType<typeof countStack>, all: number): keyof typeof STAGE_LOOKS {
  if (count.stopped.length > 0) return 'needs_attention';
  if (count.done === all && all > 0) return 'succeeded';
  if (count.status === 'cancelled') return 'cancelled';
  return count.running > 0 || count.done > 0 ? 'running' : 'pending';
}
