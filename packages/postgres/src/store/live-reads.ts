import type { LiveLog, LiveReads, LiveRows, StageWrite } from '@capstan/engine';
import type { AttemptStatus, NodeStatus, OperationStatus, Plan, Reason } from '@capstan/model';
import type pg from 'pg';
import { fromEventColumns } from '../event-row.js';
import { overLostConnections } from '../lost-connection.js';
import { READ_LIVE_LOG } from '../sql/live-log.js';
import { READ_LIVE_ROWS, READ_OPERATION_ID } from '../sql/live-rows.js';
import { LIST_EVENTS, READ_EPOCH } from '../sql/read.js';
import { run, type Statement } from '../sql/statement.js';
import { readHistory } from './operation-lists.js';
import { numberText, refArguments } from './operation-rows.js';
import type { Read } from './read.js';

/** What watchers are told from, over any pool. A read that fails is repeated for a moment only: the next one is near. */
export function liveReads(pool: pg.Pool): LiveReads {
  const many: Read = async <R>(statement: Statement, values: unknown[]) =>
    (await overLostConnections(() => run<R & pg.QueryResultRow>(pool, statement, values), PATIENCE_MS)).rows;
  const first = async <R>(statement: Statement, values: unknown[]) =>
    (await many<R>(statement, values))[0] ?? null;
  return {
    async operationId(ref) {
      return (await first<{ id: string }>(READ_OPERATION_ID, refArguments(ref)))?.id ?? null;
    },
    async rows(operationId, after, events, knownRevision) {
      const row = await first<LiveRow>(READ_LIVE_ROWS, [operationId, after, events, knownRevision]);
      return row && toLiveRows(row);
    },
    async history(scenario) {
      return (await readHistory(many, [{ scenario }])).get(scenario) ?? null;
    },
    async events(operationId, after, limit) {
      const rows = await many<EventRow>(LIST_EVENTS, [operationId, after, limit]);
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
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly changed_at: string | null;
  readonly number: number;
  readonly created_at: string;
  readonly scenario: string;
  readonly plan_revision: number;
  readonly plan: unknown;
  readonly nodes: readonly [
    string,
    number,
    NodeStatus,
    Reason | null,
    number,
    string | null,
    string | null,
  ][];
  readonly attempts: readonly [string, string, number, AttemptStatus, string, string | null][];
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
    startedAt: row.started_at,
    endedAt: row.ended_at,
    changedAt: row.changed_at,
    number: numberText(row.number),
    createdAt: row.created_at,
    scenario: row.scenario,
    planRevision: row.plan_revision,
    plan: row.plan as Plan | null,
    nodes: row.nodes.map(([key, sequence, status, reason, attempt, attemptId, since]) => ({
      key,
      sequence,
      status,
      reason,
      attempt,
      attemptId,
      since: since === null ? null : instant(since),
    })),
    attempts: row.attempts.map(([id, nodeKey, sequence, status, startedAt, endedAt]) => ({
      id,
      nodeKey,
      sequence,
      status,
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
