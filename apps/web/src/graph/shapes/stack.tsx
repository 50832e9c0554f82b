'use client';

import type { NodeProps } from '@xyflow/react';
import { useTranslations } from 'next-intl';
import { memo, useContext } from 'react';
import { nodeName } from '../node-name';
import { StatusGlyph } from '../status-glyph';
import { lookOf, NODE_LOOKS } from '../status-look';
import { useStatuses } from '../status-source';
import tones from '../tones.module.css';
import { Box } from './box';
import { CanvasContext } from './canvas-context';
import type { ShapeNode } from './shape-node';
import styles from './shapes.module.css';
import { countStack, hostOfKey } from './stack-count';

/** Failed members that fit beside each other; the rest is a number. The place is kept free, so nothing moves. */
const SHOWN_STOPPED = 2;

/** Many hosts of one job as one box: how many are done, and by name every one that stopped [UX-E3]. */
export const StackShape = memo(function StackShape({ data: { node, selected } }: NodeProps<ShapeNode>) {
  const words = useTranslations('graph');
  const { onGesture, lowDetail } = useContext(CanvasContext);
  const statuses = useStatuses(node.members);
  const count = countStack(node.members, statuses);
  const view = statuses.size === 0 ? undefined : { status: count.status, attempt: 1, reason: null };
  const summary = [
    words('stack.hosts', { count: node.members.length }),
    count.done > 0 ? words('stack.done', { count: count.done }) : null,
    count.running > 0 ? words('stack.running', { count: count.running }) : null,
    count.stopped.length > 0 ? words('stack.stopped', { count: count.stopped.length }) : null,
  ]
    .filter((part) => part !== null)
    .join(' · ');
  const look =
    view === undefined ? ({ glyph: 'ring', tone: 'idle' } as const) : lookOf(NODE_LOOKS, count.status);
  return (
    <Box node={node} selected={selected} view={view} name={nodeName(node, summary, words)}>
      <StatusGlyph look={look} size={lowDetail ? 44 : 22} />
      {lowDetail ? null : (
        <span className={styles.text}>
          <span className={styles.title} title={node.title}>
            {node.title}
          </span>{' '}
          <span className={styles.summary}>{summary}</span>{' '}
          <span className={styles.bar} aria-hidden="true">
            <span className={tones.good} style={{ flexGrow: count.done }} />
            <span className={tones.active} style={{ flexGrow: count.running }} />
            <span className={tones.bad} style={{ flexGrow: count.stopped.length }} />
            <span className={styles.rest} style={{ flexGrow: count.rest }} />
          </span>
          <span className={styles.chips}>
            {count.stopped.slice(0, SHOWN_STOPPED).map((key) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard the stack is opened with Enter and its members are walked
              // biome-ignore lint/a11y/noStaticElementInteractions: the same
              <span
                key={key}
                className={`${styles.chip} ${tones.bad}`}
                data-job-id={key}
                data-status={statuses.get(key)}
                onClick={(event) => {
                  event.stopPropagation();
                  onGesture({ kind: 'select', key });
                }}
              >
                <StatusGlyph look={lookOf(NODE_LOOKS, statuses.get(key) ?? 'failed')} size={12} />
                {hostOfKey(key)}
              </span>
            ))}
            {count.stopped.length > SHOWN_STOPPED ? (
              <span className={styles.more}>
                {words('stack.more', { count: count.stopped.length - SHOWN_STOPPED })}
              </span>
            ) : null}
          </span>
        </span>
      )}
    </Box>
  );
});
