import { createStore, type StoreApi } from 'zustand/vanilla';
import { BROWSER_PACE, flushWindow, type Pace } from './flush-window';
import type { EventRow, NodeRow, OperationFrame, OperationHead, StageRow } from './operation-frame';

/** Everything that is known of one open operation. Rows are replaced, never changed: a reader compares references. */
export interface OperationLive {
  /** Null until the first frame. */
  readonly head: OperationHead | null;
  readonly stages: readonly StageRow[];
  readonly rows: ReadonlyMap<string, NodeRow>;
  readonly planRevision: number;
  /** In order, without repeats; the newest {@link EVENTS_KEPT}. */
  readonly events: readonly EventRow[];
  /** Sequence up to which everything is in here; null before the first frame. */
  readonly cursor: number | null;
  /** Server time of the newest frame. */
  readonly asOf: string | null;
}

/** Older events are paged from the server; a tab that stays open for days must not grow for ever. */
const EVENTS_KEPT = 2_000;

export interface OperationStore {
  readonly state: StoreApi<OperationLive>;
  /** Takes a frame in. `gap`: something is missing before it, nothing was taken; resubscribe after {@link cursor}. */
  receive(frame: OperationFrame): 'taken' | 'gap';
  /** Sequence up to which frames were taken in, also those not shown yet. */
  cursor(): number | null;
  /** The head as of that sequence, shown or not. */
  latestHead(): OperationHead | null;
  row(key: string): NodeRow | undefined;
  /** Calls when the row of this key was replaced. */
  subscribeRow(key: string, listener: () => void): () => void;
}

/** Makes the store of one operation; fed only by frames, shown at most once per `windowMs`. */
export function createOperationStore(pace: Pace = BROWSER_PACE, windowMs = 100): OperationStore {
  const state = createStore<OperationLive>()(() => EMPTY);
  const listeners = new Map<string, Set<() => void>>();
  let pending: OperationLive = EMPTY;

  const show = flushWindow(
    () => {
      const before = state.getState().rows;
      const next = pending;
      state.setState(next, true);
      for (const [key, called] of listeners)
        if (before.get(key) !== next.rows.get(key)) for (const listener of called) listener();
    },
    pace,
    windowMs,
  );

  return {
    state,
    receive(frame) {
      const cursor = pending.cursor;
      if (!frame.reset && (cursor === null || frame.from > cursor + 1)) return 'gap';
      pending = frame.reset ? replaced(frame) : upserted(pending, frame);
      show();
      return 'taken';
    },
    cursor: () => pending.cursor,
    latestHead: () => pending.head,
    row: (key) => state.getState().rows.get(key),
    subscribeRow(key, listener) {
      const called = listeners.get(key) ?? new Set();
      listeners.set(key, called.add(listener));
      return () => {
        called.delete(listener);
        if (called.size === 0) listeners.delete(key);
      };
    },
  };
}

const EMPTY: OperationLive = {
  head: null,
  stages: [],
  rows: new Map(),
  planRevision: 0,
  events: [],
  cursor: null,
  asOf: null,
};

function replaced(frame: OperationFrame): OperationLive {
  return {
    head: frame.operation,
    stages: frame.stages,
    rows: new Map(frame.nodeRuns.map((row) => [row.key, row])),
    planRevision: frame.planRevision,
    events: frame.events.slice(-EVENTS_KEPT),
    cursor: frame.to,
    asOf: frame.at,
  };
}

/** A frame may repeat what is known and may come out of turn after a reconnect: only newer or equal rows count. */
function upserted(live: OperationLive, frame: OperationFrame): OperationLive {
  const cursor = live.cursor ?? 0;
  const newer = frame.to >= cursor;
  return {
    head: live.head !== null && frame.operation.sequence < live.head.sequence ? live.head : frame.operation,
    stages: stagesOf(live.stages, frame.stages),
    rows: rowsOf(live.rows, frame.nodeRuns),
    planRevision: Math.max(live.planRevision, frame.planRevision),
    events: eventsOf(live.events, frame.events, cursor),
    cursor: Math.max(cursor, frame.to),
    asOf: newer ? frame.at : live.asOf,
  };
}

function stagesOf(known: readonly StageRow[], given: readonly StageRow[]): readonly StageRow[] {
  if (given.length === 0) return known;
  const byId = new Map(given.map((stage) => [stage.id, stage]));
  const merged = known.map((stage) => {
    const next = byId.get(stage.id);
    byId.delete(stage.id);
    return next !== undefined && next.sequence >= stage.sequence ? next : stage;
  });
  return [...merged, ...byId.values()];
}

function rowsOf(
  known: ReadonlyMap<string, NodeRow>,
  given: readonly NodeRow[],
): ReadonlyMap<string, NodeRow> {
  const changed = given.filter((row) => row.sequence >= (known.get(row.key)?.sequence ?? -1));
  if (changed.length === 0) return known;
  const rows = new Map(known);
  for (const row of changed) rows.set(row.key, row);
  return rows;
}

function eventsOf(
  known: readonly EventRow[],
  given: readonly EventRow[],
  cursor: number,
): readonly EventRow[] {
  const fresh = given.filter((event) => event.sequence > cursor);
  return fresh.length === 0 ? known : [...known, ...fresh].slice(-EVENTS_KEPT);
}
