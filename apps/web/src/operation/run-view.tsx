'use client';

import { Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { graphFromOperation } from '../graph/from-operation';
import type { Gesture } from '../graph/gesture';
import type { PlanGraph } from '../graph/graph-model';
import { PlanGraphCanvas } from '../graph/plan-graph';
import { PlanList } from '../graph/plan-list';
import { type StatusSource, StatusSourceContext } from '../graph/status-source';
import type { Viewport } from '../graph/viewport';
import { NodePanel } from './node-panel';
import styles from './operation.module.css';
import { useOperation } from './operation-context';
import { OperationPanel } from './operation-panel';
import { useChildOperations } from './use-child-operations';

/** Above it a canvas is no help, and no machine draws it smoothly [UX-N4]. */
const GRAPH_UP_TO = 2_000;
const VIEWPORT_SETTLES_MS = 400;

/** The operation in detail: graph or list of one model, and beside it everything about what is selected. */
export function RunView() {
  const words = useTranslations('operation');
  const { operation, store, url, push, replace } = useOperation();
  const children = useChildOperations();
  const openKeys = url.open.join('\n');
  const graph = useMemo(
    () => graphFromOperation(operation.plan, children, new Set(openKeys === '' ? [] : openKeys.split('\n'))),
    [operation.plan, children, openKeys],
  );
  const statuses = useMemo<StatusSource>(
    () => ({ read: (key) => store.row(key), subscribe: (key, changed) => store.subscribeRow(key, changed) }),
    [store],
  );
  const keepViewport = useSettled(useCallback((viewport: Viewport) => replace({ viewport }), [replace]));

  const onGesture = useCallback(
    (gesture: Gesture) => {
      // One step of the history, however many boxes the reader walks over: Back leads out of the details.
      const select = (node: string | null) => (isSelected() ? replace : push)({ node });
      switch (gesture.kind) {
        case 'select':
          return select(gesture.key);
        case 'open':
          select(gesture.key);
          // After the panel has drawn the node: focus goes to what was opened.
          return void setTimeout(() => document.getElementById('panel')?.focus(), 0);
        case 'toggle_stack': {
          const { open } = readOpen();
          const next = open.includes(gesture.key)
            ? open.filter((key) => key !== gesture.key)
            : [...open, gesture.key];
          return push({ open: next });
        }
        case 'move':
          return keepViewport(gesture.viewport);
      }
    },
    [push, replace, keepViewport],
  );

  return (
    <StatusSourceContext value={statuses}>
      <div className={styles.run}>
        <section className={styles.main} aria-label={words(`view.${url.view}`)}>
          {url.view === 'list' ? (
            <PlanList graph={graph} selection={url.node} onGesture={onGesture} />
          ) : (
            <GraphOrList graph={graph} onGesture={onGesture} />
          )}
        </section>
        <aside
          id="panel"
          className={styles.panel}
          tabIndex={-1}
          aria-label={words('panel')}
          data-testid="panel"
          onKeyDown={(event) => {
            // Back to the node that it belongs to [UX-E20].
            if (event.key !== 'Escape' || event.defaultPrevented) return;
            document.querySelector<HTMLElement>('[role="application"], [role="treegrid"]')?.focus();
          }}
        >
          {url.node === null ? <OperationPanel /> : <NodePanel nodeKey={url.node} graph={graph} />}
        </aside>
      </div>
    </StatusSourceContext>
  );
}

function GraphOrList({ graph, onGesture }: { graph: PlanGraph; onGesture: (gesture: Gesture) => void }) {
  const words = useTranslations('graph');
  const { url } = useOperation();
  const [anyway, setAnyway] = useState(false);
  // What the link said when the canvas opened; later moves are the canvas's own.
  const [viewport] = useState(url.viewport);
  if (graph.nodes.length > GRAPH_UP_TO && !anyway)
    return (
      <div className={styles.tooLarge}>
        <p className={styles.tooLargeNote}>
          {words('canvas.large', { count: graph.nodes.length })}{' '}
          <Button size="xs" variant="default" onClick={() => setAnyway(true)}>
            {words('canvas.drawAnyway')}
          </Button>
        </p>
        <PlanList graph={graph} selection={url.node} onGesture={onGesture} />
      </div>
    );
  return (
    <PlanGraphCanvas
      graph={graph}
      mode="run"
      selection={url.node}
      viewport={viewport}
      onGesture={onGesture}
    />
  );
}

/** From the address: two toggles within one tick must both count. */
function readOpen(): { readonly open: readonly string[] } {
  return { open: new URLSearchParams(window.location.search).getAll('open') };
}

function isSelected(): boolean {
  return new URLSearchParams(window.location.search).has('node');
}

/** Calls with the newest value when none has come for a while: a pan is a hundred moves and one place. */
function useSettled<T>(run: (value: T) => void): (value: T) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (value: T) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => run(value), VIEWPORT_SETTLES_MS);
    },
    [run],
  );
}
