// biome-ignore-all lint/a11y/useSemanticElements: a table of absolutely placed, virtual rows cannot be a <table>; the roles say what it is
'use client';

import { useTranslations } from 'next-intl';
import { memo } from 'react';
import type { ListRow } from './list-rows';
import { statusWords } from './node-name';
import styles from './plan-list.module.css';
import { countStack } from './shapes/stack-count';
import { StatusGlyph } from './status-glyph';
import { lookOf, NODE_LOOKS } from './status-look';
import { useNodeStatus, useStatuses } from './status-source';
import tones from './tones.module.css';

interface ListRowProps {
  readonly row: ListRow;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly selected: boolean;
  /** Where the keyboard stands. */
  readonly active: boolean;
  readonly onSelect: () => void;
  readonly onOpen: () => void;
  readonly onFold: () => void;
}

/** One row; its status is read here, so a change draws this row only. */
export const ListRowView = memo(function ListRowView(props: ListRowProps) {
  const { row, index, top, height } = props;
  const foldable = row.kind !== 'node' || row.node.kind === 'stack';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the treegrid itself takes the keys of its rows
    <div
      id={`row-${row.key}`}
      role="row"
      tabIndex={-1}
      aria-level={row.level}
      aria-rowindex={index + 2}
      aria-selected={props.selected}
      aria-expanded={foldable ? (row.kind === 'stage' ? row.open : row.kind === 'stack') : undefined}
      className={styles.row}
      data-kind={row.kind}
      data-active={props.active || undefined}
      style={{ transform: `translateY(${top}px)`, height }}
      onClick={props.onSelect}
      onDoubleClick={props.onOpen}
    >
      {row.kind === 'node' && row.node.kind !== 'stack' ? (
        <NodeCells row={row} />
      ) : (
        <GroupCells row={row} onFold={props.onFold} />
      )}
    </div>
  );
});

function NodeCells({ row }: { row: Extract<ListRow, { kind: 'node' }> }) {
  const words = useTranslations('graph');
  const view = useNodeStatus(row.key);
  const look =
    view === undefined ? ({ glyph: 'ring', tone: 'idle' } as const) : lookOf(NODE_LOOKS, view.status);
  return (
    <>
      <span
        role="gridcell"
        tabIndex={-1}
        className={styles.step}
        style={{ paddingInlineStart: row.level * 20 }}
      >
        <StatusGlyph look={look} size={18} />
        <span className={styles.title}>{row.node.title}</span>
        {row.node.added ? <span className={styles.added}>{words('added')}</span> : null}
      </span>
      <span role="gridcell" tabIndex={-1} className={styles.dim}>
        {row.node.detail ?? '—'}
      </span>
      <span
        role="gridcell"
        tabIndex={-1}
        className={`${styles.status} ${tones[look.tone]}`}
        data-job-id={row.key}
        data-status={view?.status ?? 'planned'}
      >
        {statusWords(view, words)}
      </span>
      <span role="gridcell" tabIndex={-1} className={styles.number}>
        {view === undefined || view.attempt === 0 ? '' : view.attempt}
      </span>
    </>
  );
}

function GroupCells({ row, onFold }: { row: ListRow; onFold: () => void }) {
  const words = useTranslations('graph');
  const members = row.kind === 'node' ? row.node.members : row.members;
  const count = countStack(members, useStatuses(members));
  const title = row.kind === 'stage' ? row.lane.title : row.kind === 'stack' ? row.title : row.node.title;
  const open = row.kind === 'stage' ? row.open : row.kind === 'stack';
  const look = lookOf(NODE_LOOKS, count.status);
  return (
    <>
      <span
        role="gridcell"
        tabIndex={-1}
        className={styles.step}
        style={{ paddingInlineStart: (row.level - 1) * 20 }}
      >
        <button
          type="button"
          tabIndex={-1}
          className={styles.fold}
          aria-label={words(open ? 'list.fold' : 'list.unfold', { title })}
          onClick={(event) => {
            event.stopPropagation();
            onFold();
          }}
        >
          <svg
            width="14"
            height="14"
            viewBox="0 0 20 20"
            fill="none"
            stroke="currentColor"
            strokeWidth="2.2"
            aria-hidden="true"
            data-open={open}
          >
            <path d="M7 4 L13 10 L7 16" />
          </svg>
        </button>
        <span className={row.kind === 'stage' ? styles.stage : styles.title}>{title}</span>
      </span>
      <span role="gridcell" tabIndex={-1} className={styles.dim}>
        {row.kind === 'stage' ? '' : words('stack.hosts', { count: members.length })}
      </span>
      <span
        role="gridcell"
        tabIndex={-1}
        className={`${styles.status} ${tones[look.tone]}`}
        data-status={count.status}
      >
        {count.stopped.length > 0
          ? words('stack.stopped', { count: count.stopped.length })
          : words('list.done', { done: count.done, total: members.length })}
      </span>
      <span role="gridcell" tabIndex={-1} />
    </>
  );
}
