import type { EventGap, NodeOfOperation, Records } from '@capstan/engine';
import type { EventColumns } from '../event-row.js';
import { fromEventColumns } from '../event-row.js';
import type { ArtifactColumns } from '../sql/list-records.js';
import {
  LIST_ARTIFACT_BYTES,
  LIST_ARTIFACTS_BY_ID,
  LIST_ARTIFACTS_OF_OPERATIONS,
  LIST_ARTIFACTS_OF_OWNERS,
  LIST_EVENT_GAPS,
  LIST_EVENTS_OF,
  LIST_EVIDENCE_BY_ID,
  LIST_EVIDENCE_OF_NODES,
  LIST_EVIDENCE_PAGES,
} from '../sql/list-records.js';
import { LIST_ATTEMPTS_BY_ID, LIST_ATTEMPTS_OF_NODES } from '../sql/read.js';
import { grouped } from './operation-lists.js';
import type { Read } from './read.js';
import type { AttemptListRow, PlannedEvidenceRow } from './record-rows.js';
import { toOperationAttempt, toStoredArtifact, toStoredEvidence } from './record-rows.js';

/** Events of one operation at once, at most. */
export const EVENT_LIMIT = 500;

/** What operations leave behind, many parents at a time, over any pool. */
export function records(read: Read): Records {
  return {
    async eventsOf(operationIds, after, limit) {
      const rows = await read<EventRow>(LIST_EVENTS_OF, [operationIds, after, Math.min(limit, EVENT_LIMIT)]);
      return mapped(grouped(rows, operationOf), (row) => ({ event: fromEventColumns(row), at: row.at }));
    },
    async eventGapsOf(operationIds, after) {
      const rows = await read<EventGap & OfOperation>(LIST_EVENT_GAPS, [operationIds, after]);
      return new Map(rows.map(({ operation_id, ...gap }) => [operation_id, gap]));
    },
    async attemptsOf(nodes) {
      return (await read<AttemptListRow>(LIST_ATTEMPTS_OF_NODES, pairs(nodes))).map(toOperationAttempt);
    },
    async evidenceOf(nodes) {
      return (await read<PlannedEvidenceRow>(LIST_EVIDENCE_OF_NODES, pairs(nodes))).map(toStoredEvidence);
    },
    async evidencePages(operationIds, { after, limit }) {
      const rows = await read<PlannedEvidenceRow>(LIST_EVIDENCE_PAGES, [operationIds, after, limit]);
      return mapped(grouped(rows, operationOf), toStoredEvidence);
    },
    async artifactPages(by, parents, { after, limit }) {
      const statement = by === 'owner' ? LIST_ARTIFACTS_OF_OWNERS : LIST_ARTIFACTS_OF_OPERATIONS;
      const rows = await read<ArtifactColumns>(statement, [parents, after, limit]);
      const parentOf = (row: ArtifactColumns): string =>
        by === 'owner' ? row.owner : (row.operation_id ?? '');
      return mapped(grouped(rows, parentOf), toStoredArtifact);
    },
    async attemptsById(ids) {
      return (await read<AttemptListRow>(LIST_ATTEMPTS_BY_ID, [ids])).map(toOperationAttempt);
    },
    async evidenceById(ids) {
      return (await read<PlannedEvidenceRow>(LIST_EVIDENCE_BY_ID, [ids])).map(toStoredEvidence);
    },
    async artifactsById(ids) {
      return (await read<ArtifactColumns>(LIST_ARTIFACTS_BY_ID, [ids])).map(toStoredArtifact);
    },
    async artifactBytes(ids, limit) {
      const rows = await read<{ id: string; bytes: Buffer }>(LIST_ARTIFACT_BYTES, [ids, limit]);
      return new Map(rows.map((row) => [row.id, new Uint8Array(row.bytes)]));
    },
  };
}

interface OfOperation {
  readonly operation_id: string;
}

interface EventRow extends EventColumns, OfOperation {
  readonly at: string;
}

function operationOf(row: OfOperation): string {
  return row.operation_id;
}

function pairs(nodes: readonly NodeOfOperation[]): [string[], string[]] {
  return [nodes.map((one) => one.operationId), nodes.map((one) => one.nodeKey)];
}

function mapped<R, T>(
  groups: ReadonlyMap<string, readonly R[]>,
  map: (row: R) => T,
): ReadonlyMap<string, readonly T[]> {
  return new Map([...groups].map(([key, rows]) => [key, rows.map(map)]));
}
