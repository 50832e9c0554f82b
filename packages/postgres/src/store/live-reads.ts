import type { LiveLog, LiveReads, LiveRows, StageWrite } from '@capstan/engine';
import type { NodeStatus, OperationStatus, Plan, Reason } from '@capstan/model';
import type pg from 'pg';
import { fromEventColumns } from '../event-row.js';
import { overLostConnections } from '../lost-connection.js';
import { READ_LIVE_LOG } from '../sql/live-log.js';
import { READ_LIVE_ROWS } from '../sql/live-rows.js';
import { LOAD_OPERATION, type OperationRow } from '../sql/load-operation.js';
import { LIST_EVENTS, READ_EPOCH } from '../sql/read.js';
import { run, type Statement } from '../sql/statement.js';
import { numberText, refArguments } from './operation-rows.js';

/** What watchers are told from, over any pool. A read that fails is repeated for a moment only: the next one is near. */
export function liveReads(pool: pg.Pool): LiveReads {
  const first = async <R extends pg.QueryResultRow>(statement: Statement, values: unknown[]) =>
    (await overLostConnections(() => run<R>(pool, statement, values), PATIENCE_MS)).rows[0] ?? null;
  return {
    async operation(ref) {
      const row = await first<OperationRow>(LOAD_OPERATION, refArguments(ref));
      return (
        row && {
          id: row.id,
          number: numberText(row.number),
          plan: row.plan as Plan,
          createdAt: row.created_at,
        }
      );
    },
    async rows(operationId, after, events) {
      const row = await first<LiveRow>(READ_LIVE_ROWS, [operationId, after, events]);
      return row && toLiveRows(row);
    },
    async events(operationId, after, limit) {
      const { rows } = await overLostConnections(
        () => run<EventRow>(pool, LIST_EVENTS, [operationId, after, limit]),
        PATIENCE_MS,
      );
      return rows.map((row) => ({ event: fromEventColumns(row), at: row.at }));
    },
    async attemptLog(attemptId) {
      const row = await first<LogRow>(READ_LIVE_LOG, [attemptId]);
      return row && toLiveLog(row);
    },
    async epoch() {
      return (await first<{ epoch: string }>(READ_EPOCH, []))?.epoch ?? '';
    },
  };
}

const PATIENCE_MS = 1_000;

type EventRow = Parameters<typeof fromEventColumns>[0] & { readonly at: string };

/** Times inside JSON are text as the server writes it. */
interface LiveRow {
  readonly sequence: number;
  readonly at: string;
  readonly status: string;
  readonly reason: unknown;
  readonly ended_at: string | null;
  readonly plan_revision: number;
  readonly nodes: readonly [string, number, NodeStatus, Reason | null, number, string | null][];
  readonly attempts: readonly [string, string, number, string, string | null][];
  readonly stages: readonly [string, StageWrite['status'], number, number, number][];
  readonly events: readonly [
    number,
    number,
    string,
    string,
    string | null,
    string | null,
    Record<string, unknown> | null,
    string,
  ][];
}

interface LogRow {
  readonly id: string;
  readonly operation_id: string;
  readonly log_size: number;
  readonly log_complete: boolean;
  readonly log_edition: number;
  readonly log_cut_from: number | null;
  readonly log_cut_to: number | null;
  readonly log_pruned_at: string | null;
  readonly log_sha256: string | null;
}

function toLiveRows(row: LiveRow): LiveRows {
  return {
    sequence: row.sequence,
    at: row.at,
    status: row.status as OperationStatus,
    reason: row.reason as Reason | null,
    endedAt: row.ended_at,
    planRevision: row.plan_revision,
    nodes: row.nodes.map(([key, sequence, status, reason, attempt, attemptId]) => ({
      key,
      sequence,
      status,
      reason,
      attempt,
      attemptId,
    })),
    attempts: row.attempts.map(([id, nodeKey, sequence, startedAt, endedAt]) => ({
      id,
      nodeKey,
      sequence,
      startedAt: instant(startedAt),
      endedAt: endedAt === null ? null : instant(endedAt),
    })),
    stages: row.stages.map(([id, status, done, total, sequence]) => ({ id, status, done, total, sequence })),
    events: row.events.map(([sequence, v, type, actor, node_key, attempt_id, data, at]) => ({
      event: fromEventColumns({ sequence, v, type, actor, node_key, attempt_id, data }),
      at: instant(at),
    })),
  };
}

function toLiveLog(row: LogRow): LiveLog {
  const { log_cut_from: from, log_cut_to: to } = row;
  return {
    attemptId: row.id,
    operationId: row.operation_id,
    logSize: row.log_size,
    logComplete: row.log_complete,
    logEtag: `${row.id}.${row.log_edition}`,
    logCut: from === null || to === null ? null : { from, to },
    logPruned: row.log_pruned_at === null ? null : { at: row.log_pruned_at, sha256: row.log_sha256 ?? '' },
  };
}

function instant(text: string): string {
  return new Date(text).toISOString();
}
