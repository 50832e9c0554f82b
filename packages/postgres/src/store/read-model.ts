import type { EventGap, OperationSummary, ReadModel, StageWrite, StoredAttempt } from '@capstan/engine';
import type { Evidence, JsonValue, OperationStatus, Provenance, Reason, Verdict } from '@capstan/model';
import type pg from 'pg';
import type { EventColumns } from '../event-row.js';
import { fromEventColumns } from '../event-row.js';
import { overLostConnections } from '../lost-connection.js';
import { schemaVersion } from '../migrate.js';
import { SCHEMA_VERSION } from '../migration/all.js';
import type { AttemptRow } from '../sql/load-operation.js';
import {
  LIST_ATTEMPTS,
  LIST_EVENTS,
  LIST_EVENTS_ACROSS,
  LIST_EVIDENCE,
  LIST_OPERATIONS,
  LIST_STAGES,
  READ_EPOCH,
  READ_EVENT_GAP,
} from '../sql/read.js';
import type { Statement } from '../sql/statement.js';
import { run } from '../sql/statement.js';
import { numberText, toAttempt } from './operation-rows.js';

const EVENT_LIMIT = 500;

/** What clients read, over any pool. */
export function readModel(pool: pg.Pool, log: (line: string) => void): ReadModel {
  const read = async <R extends pg.QueryResultRow>(statement: Statement, values: unknown[]) =>
    (await overLostConnections(() => run<R>(pool, statement, values))).rows;
  return {
    async operations({ first, before = null, subject = null }) {
      return (await read<OperationListRow>(LIST_OPERATIONS, [first, before, subject])).map(toSummary);
    },
    async events(operationId, after, limit) {
      const rows = await read<EventRow>(LIST_EVENTS, [operationId, after, Math.min(limit, EVENT_LIMIT)]);
      return rows.map((row) => ({ event: fromEventColumns(row), at: row.at }));
    },
    async eventGap(operationId, after) {
      const [gap] = await read<EventGap & pg.QueryResultRow>(READ_EVENT_GAP, [operationId, after]);
      return gap ?? null;
    },
    stages: (operationId) => read<StageWrite>(LIST_STAGES, [operationId]),
    async attempts(operationId, nodeKeys) {
      return (await read<AttemptListRow>(LIST_ATTEMPTS, [operationId, nodeKeys ?? null])).map(
        toStoredAttempt,
      );
    },
    async evidence(operationId, nodeKeys) {
      return (await read<EvidenceRow>(LIST_EVIDENCE, [operationId, nodeKeys ?? null])).map(toEvidence);
    },
    async eventsAcross(after, limit) {
      const [rows, epoch] = await Promise.all([
        read<EventAcrossRow>(LIST_EVENTS_ACROSS, [
          after?.tx ?? '0',
          after?.id ?? '0',
          Math.min(limit, EVENT_LIMIT),
        ]),
        read<{ epoch: string }>(READ_EPOCH, []),
      ]);
      return {
        epoch: epoch[0]?.epoch ?? '',
        events: rows.map((row) => ({
          operationId: row.operation_id,
          tx: row.tx,
          id: row.id,
          event: fromEventColumns(row),
          at: row.at,
        })),
      };
    },
    async ready() {
      try {
        return (await schemaVersion(pool)) === SCHEMA_VERSION;
      } catch (error) {
        log(`the database does not answer: ${(error as Error).message}`);
        return false;
      }
    },
  };
}

interface OperationListRow {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly status: string;
  readonly reason: unknown;
  readonly subject: string;
  readonly environment: string;
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly last_seq: number;
}

interface EventRow extends EventColumns {
  readonly at: string;
}

interface EventAcrossRow extends EventRow {
  readonly operation_id: string;
  readonly tx: string;
  readonly id: string;
}

interface AttemptListRow extends AttemptRow {
  readonly log_size: number;
  readonly log_complete: boolean;
  readonly log_edition: number;
  readonly log_cut_from: number | null;
  readonly log_cut_to: number | null;
  readonly log_pruned_at: string | null;
  readonly log_sha256: string | null;
}

interface EvidenceRow {
  readonly id: string;
  readonly node_key: string | null;
  readonly attempt_id: string | null;
  readonly check_id: string;
  readonly check_digest: string;
  readonly subject: string;
  readonly from_host: string;
  readonly expected: string;
  readonly observed: string;
  readonly attributes: Record<string, JsonValue>;
  readonly raw_hash: string;
  readonly verdict: string;
  readonly provenance: string;
  readonly at: string;
  readonly fresh_until: string | null;
  readonly started_after: number;
}

function toSummary(row: OperationListRow): OperationSummary {
  return {
    id: row.id,
    number: numberText(row.number),
    title: row.title,
    status: row.status as OperationStatus,
    reason: row.reason as Reason | null,
    subject: row.subject,
    environment: row.environment,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    sequence: row.last_seq,
  };
}

function toStoredAttempt(row: AttemptListRow): StoredAttempt {
  return {
    ...toAttempt(row),
    startedAt: row.started_at,
    endedAt: row.ended_at,
    logSize: row.log_size,
    logComplete: row.log_complete,
    logEtag: `${row.id}.${row.log_edition}`,
    logCut:
      row.log_cut_from === null || row.log_cut_to === null
        ? null
        : { from: row.log_cut_from, to: row.log_cut_to },
    logPruned: row.log_pruned_at === null ? null : { at: row.log_pruned_at, sha256: row.log_sha256 ?? '' },
  };
}

function toEvidence(row: EvidenceRow): Evidence {
  return {
    id: row.id,
    check: row.check_id,
    checkDigest: row.check_digest,
    subject: row.subject,
    from: row.from_host,
    nodeKey: row.node_key,
    attemptId: row.attempt_id,
    expected: row.expected,
    observed: row.observed,
    attributes: row.attributes,
    rawHash: row.raw_hash,
    verdict: row.verdict as Verdict,
    provenance: row.provenance as Provenance,
    at: row.at,
    freshUntil: row.fresh_until,
    startedAfter: row.started_after,
  };
}
