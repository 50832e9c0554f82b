'use client';

import type { NodeProps } from '@xyflow/react';
import { useTranslations } from 'next-intl';
import { memo, useContext } from 'react';
import { nodeName, statusWords } from '../node-name';
import { StatusGlyph } from '../status-glyph';
import { lookOf, NODE_LOOKS } from '../status-look';
import { useNodeStatus } from '../status-source';
import { Box, PLANNED } from './box';
import { CanvasContext } from './canvas-context';
import type { ShapeNode } from './shape-node';
import styles from './shapes.module.css';

/** A job on a host; gates and sub-operations say what they are by another outline. */
export const JobShape = memo(function JobShape({ data: { node, selected } }: NodeProps<ShapeNode>) {
  const words = useTranslations('graph');
  const { lowDetail } = useContext(CanvasContext);
  const view = useNodeStatus(node.key);
  const status = statusWords(view, words);
  const look = view === undefined ? PLANNED : lookOf(NODE_LOOKS, view.status);
  return (
    <Box node={node} selected={selected} view={view} name={nodeName(node, status, words)}>
      <StatusGlyph look={look} size={lowDetail ? 36 : 22} />
      {lowDetail ? null : (
        <span className={styles.text}>
          <span className={styles.title} title={node.title}>
            {node.title}
          </span>{' '}
          {node.kind === 'job' ? null : <span className={styles.hidden}>{words(`kind.${node.kind}`)} </span>}
          <span className={styles.line}>
            <span className={styles.status}>{status}</span>{' '}
            {node.detail === null ? null : <span className={styles.detail}>{node.detail}</span>}
          </span>
        </span>
      )}
      {node.added && !lowDetail ? (
        <span className={styles.added} title={words('addedLong')}>
          {words('added')}
        </span>
      ) : null}
    </Box>
  );
});
