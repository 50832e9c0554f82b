// biome-ignore-all lint/a11y/useSemanticElements: a table of absolutely placed, virtual rows cannot be a <table>; the roles say what it is
'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useTranslations } from 'next-intl';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Gesture } from './gesture';
import type { PlanGraph } from './graph-model';
import { ListRowView } from './list-row';
import { type ListRow, listMove, listRows } from './list-rows';
import styles from './plan-list.module.css';

export interface PlanListProps {
  readonly graph: PlanGraph;
  readonly selection: string | null;
  readonly onGesture: (gesture: Gesture) => void;
}

const ROW_HEIGHT = 40;

/** The same plan as a tree table, with the same selection and gestures as the canvas [UX-E22]. One tab stop. */
export function PlanList({ graph, selection, onGesture }: PlanListProps) {
  const words = useTranslations('graph');
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => listRows(graph, folded), [graph, folded]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    getItemKey: (index) => rows[index]?.key ?? index,
  });

  const selectedIndex = rows.findIndex(
    (row) => row.kind === 'node' && (row.key === selection || row.node.members.includes(selection ?? '')),
  );
  // Stages can be walked to and are no selection, so the list remembers where the reader stands.
  const [active, setActive] = useState<string | null>(null);
  const activeIndex = Math.max(
    0,
    active === null ? selectedIndex : rows.findIndex((row) => row.key === active),
  );
  const shown = useRef<string | null>(null);
  useEffect(() => {
    // A fold moves rows and must not scroll: only another selection does.
    if (selectedIndex < 0 || shown.current === selection) return;
    shown.current = selection;
    setActive(rows[selectedIndex]?.key ?? null);
    virtual.scrollToIndex(selectedIndex, { align: 'auto' });
  }, [selection, selectedIndex, rows, virtual]);

  const fold = (row: ListRow, folding: boolean) => {
    if (row.kind !== 'stage') return onGesture({ kind: 'toggle_stack', key: row.key });
    const next = new Set(folded);
    if (folding) next.add(row.lane.id);
    else next.delete(row.lane.id);
    setFolded(next);
  };
  const goTo = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    setActive(row.key);
    virtual.scrollToIndex(index, { align: 'auto' });
    if (row.kind === 'node') onGesture({ kind: 'select', key: row.key });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[activeIndex];
    if (event.key === 'Enter' && row !== undefined) {
      event.preventDefault();
      if (row.kind === 'node' && row.node.kind !== 'stack') onGesture({ kind: 'open', key: row.key });
      else fold(row, row.kind === 'stage' ? row.open : false);
      return;
    }
    const move = listMove(rows, activeIndex, event.key);
    if (move === null) return;
    event.preventDefault();
    if (move.kind === 'to') goTo(move.index);
    else fold(move.row, move.kind === 'fold');
  };

  return (
    <div className={styles.frame} data-testid="plan-list">
      <div
        ref={scroller}
        className={styles.scroller}
        role="treegrid"
        aria-label={words('list.name')}
        aria-rowcount={rows.length + 1}
        aria-activedescendant={rows[activeIndex] === undefined ? undefined : `row-${rows[activeIndex].key}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div role="row" tabIndex={-1} aria-rowindex={1} className={styles.head}>
          {(['step', 'host', 'status', 'attempt'] as const).map((column) => (
            <span key={column} role="columnheader" tabIndex={-1}>
              {words(`list.${column}`)}
            </span>
          ))}
        </div>
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return row === undefined ? null : (
              <ListRowView
                key={row.key}
                row={row}
                index={item.index}
                top={item.start}
                height={ROW_HEIGHT}
                selected={item.index === selectedIndex}
                active={item.index === activeIndex}
                onSelect={() => goTo(item.index)}
                onOpen={() =>
                  row.kind === 'node' && row.node.kind !== 'stack'
                    ? onGesture({ kind: 'open', key: row.key })
                    : fold(row, row.kind === 'stage' && row.open)
                }
                onFold={() => fold(row, row.kind === 'stage' ? row.open : true)}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}
