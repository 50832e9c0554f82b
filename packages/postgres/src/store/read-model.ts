import type { EventGap, ReadModel, StageWrite } from '@capstan/engine';
import type pg from 'pg';
import type { EventColumns } from '../event-row.js';
import { fromEventColumns } from '../event-row.js';
import { schemaVersion } from '../migrate.js';
import { SCHEMA_VERSION } from '../migration/all.js';
import {
  LIST_ATTEMPTS,
  LIST_EVENTS,
  LIST_EVENTS_ACROSS,
  LIST_EVIDENCE,
  LIST_STAGES,
  READ_EPOCH,
  READ_EVENT_GAP,
} from '../sql/read.js';
import { operationLists } from './operation-lists.js';
import { readOver } from './read.js';
import type { AttemptListRow, EvidenceRow } from './record-rows.js';
import { toEvidence, toStoredAttempt } from './record-rows.js';
import { EVENT_LIMIT, records } from './records.js';

/** What clients read, over any pool. */
export function readModel(pool: pg.Pool, log: (line: string) => void): ReadModel {
  const read = readOver(pool);
  const epoch = async () => (await read<{ epoch: string }>(READ_EPOCH, []))[0]?.epoch ?? '';
  return {
    ...operationLists(read),
    ...records(read),
    epoch,
    async events(operationId, after, limit) {
      const rows = await read<EventRow>(LIST_EVENTS, [operationId, after, Math.min(limit, EVENT_LIMIT)]);
      return rows.map((row) => ({ event: fromEventColumns(row), at: row.at }));
    },
    async eventGap(operationId, after) {
      const [gap] = await read<EventGap>(READ_EVENT_GAP, [operationId, after]);
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
      const [rows, feedEpoch] = await Promise.all([
        read<EventAcrossRow>(LIST_EVENTS_ACROSS, [
          after?.tx ?? '0',
          after?.id ?? '0',
          Math.min(limit, EVENT_LIMIT),
        ]),
        epoch(),
      ]);
      return {
        epoch: feedEpoch,
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

interface EventRow extends EventColumns {
  readonly at: string;
}

interface EventAcrossRow extends EventRow {
  readonly operation_id: string;
  readonly tx: string;
  readonly id: string;
}
