'use client';

import { Button, CloseButton } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { GraphNode } from '../graph/graph-model';
import { hostOfKey } from '../graph/shapes/stack-count';
import { StatusGlyph } from '../graph/status-glyph';
import { lookOf, NODE_LOOKS } from '../graph/status-look';
import { useStatuses } from '../graph/status-source';
import tones from '../graph/tones.module.css';
import styles from './operation.module.css';
import { useOperation } from './operation-context';

/** All hosts of one job: what stopped first, each a way to its details. */
export function StackPanel({ stack }: { readonly stack: GraphNode }) {
  const words = useTranslations('operation');
  const graph = useTranslations('graph');
  const { url, push } = useOperation();
  const statuses = useStatuses(stack.members);
  const rank = (key: string) => {
    const status = statuses.get(key) ?? 'pending';
    return ORDER.indexOf(status) < 0 ? ORDER.length : ORDER.indexOf(status);
  };
  const members = stack.members
    .map((key, index) => ({ key, index }))
    .sort((a, b) => rank(a.key) - rank(b.key) || a.index - b.index);
  return (
    <>
      <div className={styles.panelHead}>
        <div className={styles.panelTitleRow}>
          <h2 className={styles.panelTitle}>{stack.title}</h2>
          <CloseButton aria-label={words('node.close')} onClick={() => push({ node: null })} />
        </div>
        <div className={styles.panelFacts}>{graph('stack.hosts', { count: stack.members.length })}</div>
        <div className={styles.panelActions}>
          <Button size="sm" variant="default" onClick={() => push({ open: [...url.open, stack.key] })}>
            {words('node.openStack')}
          </Button>
        </div>
      </div>
      <ul className={`${styles.scrollPanel} ${styles.stepLinks}`}>
        {members.map(({ key }) => {
          const status = statuses.get(key) ?? 'pending';
          const look = lookOf(NODE_LOOKS, status);
          return (
            <li key={key}>
              <button type="button" className={styles.stepLink} onClick={() => push({ node: key })}>
                <StatusGlyph look={look} size={18} />
                <span className={styles.stackHost}>{hostOfKey(key)}</span>
                <span className={`${styles.toned} ${tones[look.tone]}`}>{graph(`status.${status}`)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

const ORDER: readonly string[] = [
  'failed',
  'unproven',
  'unknown',
  'running',
  'verifying',
  'ready',
  'pending',
];
