import type { EventRow, NodeRow, OperationFrame, OperationHead, StageRow } from './operation-frame';

/** The server's side of the live protocol over a made-up history: every event changes one node and one stage. */
export interface History {
  readonly length: number;
  /** Everything, as a first frame has it. */
  snapshot(at?: number): OperationFrame;
  /** The state of what changed after `after`, as of `to`. */
  since(after: number, to: number): OperationFrame;
}

const STATUSES = ['ready', 'running', 'verifying', 'succeeded', 'failed'] as const;

/** A history of so many events over so many nodes. */
export function history(length: number, nodes: number, random: () => number): History {
  const keys = Array.from({ length: nodes }, (_, index) => `n${index}`);
  const changes = Array.from({ length }, () => Math.floor(random() * nodes));
  const statuses = changes.map(() => STATUSES[Math.floor(random() * STATUSES.length)] ?? 'ready');

  const rowsAt = (to: number): NodeRow[] => {
    const rows = keys.map((key) => rowOf(key, 0, 'pending'));
    for (let sequence = 1; sequence <= to; sequence++) {
      const index = changes[sequence - 1] as number;
      rows[index] = rowOf(keys[index] as string, sequence, statuses[sequence - 1] ?? 'ready');
    }
    return rows;
  };
  const stagesAt = (rows: readonly NodeRow[]): StageRow[] => [
    {
      id: 'main',
      sequence: Math.max(0, ...rows.map((row) => row.sequence)),
      title: 'Main',
      status: 'running',
      done: rows.filter((row) => row.status === 'succeeded').length,
      total: nodes,
    },
  ];
  const frame = (
    from: number,
    to: number,
    reset: boolean,
    rows: NodeRow[],
    events: EventRow[],
  ): OperationFrame => ({
    from,
    to,
    at: new Date(Date.UTC(2026, 0, 1) + to * 1_000).toISOString(),
    reset,
    operation: headOf(to),
    stages: stagesAt(rowsAt(to)),
    nodeRuns: rows,
    planRevision: 1,
    events,
  });
  const eventsOf = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, index) =>
      eventOf(from + index, keys[changes[from + index - 1] as number] as string),
    );
  return {
    length,
    snapshot: (at = length) => frame(at, at, true, rowsAt(at), eventsOf(Math.max(1, at - 49), at)),
    since: (after, to) =>
      frame(
        after + 1,
        to,
        false,
        rowsAt(to).filter((row) => row.sequence > after),
        eventsOf(after + 1, to),
      ),
  };
}

function rowOf(key: string, sequence: number, status: NodeRow['status']): NodeRow {
  return { key, sequence, status, reason: null, attempt: 1, attemptId: null, startedAt: null, endedAt: null };
}

function eventOf(sequence: number, nodeKey: string): EventRow {
  return {
    sequence,
    at: '2026-01-01T00:00:00.000Z',
    type: 'attempt_started',
    actor: { kind: 'service', id: 'engine' },
    nodeKey,
    attemptId: null,
    text: `event ${sequence}`,
  };
}

function headOf(sequence: number): OperationHead {
  return {
    id: 'op_1',
    number: 'op-1',
    sequence,
    status: 'running',
    reason: null,
    title: 'Install',
    startedAt: null,
    endedAt: null,
    progress: {
      phase: null,
      phasesDone: 0,
      phasesTotal: 1,
      addedByPatch: 0,
      needsAttention: 0,
      remaining: null,
      longerThanUsual: false,
    },
    blockers: [],
    actions: [],
  };
}
