import type { DueFolder, PruneItem, PruneKind, Retention, RetentionAges } from '@capstan/engine';
import type pg from 'pg';
import { tryAdvisoryLock } from '../advisory-lock.js';
import {
  CLAIM_TURN,
  DUE_EVENTS,
  DUE_EVIDENCE,
  DUE_FOLDERS,
  DUE_KEYS,
  DUE_LOGS,
  FORGOTTEN,
  PRUNE_EVENTS,
  PRUNE_EVIDENCE,
  PRUNE_KEYS,
  PRUNE_LOG,
  TOMBSTONE_KEYS,
} from '../sql/retention.js';

/** Runs of retention exclude each other. */
const RETENTION_LOCK = 4_207_194_003;

const KEYS_AT_ONCE = 1000;

interface LogRow {
  readonly attempt_id: string;
  readonly operation_id: string;
  readonly kind: 'logs' | 'failed_logs';
  readonly bytes: number;
}

interface Counted {
  readonly objects: number;
  readonly bytes: number;
}

interface OperationRows extends Counted {
  readonly operation_id: string;
}

/**
 * What is due and what is removed come from the same questions, so a dry run says what a run would do. Each log and each
 * operation's rows go in a statement of their own with their tombstone: a run that ends in between is only unfinished.
 */
export function retentionStore(pool: pg.Pool): Retention {
  const ask = async <R extends pg.QueryResultRow>(text: string, values: unknown[]) =>
    (await pool.query<R>(text, values)).rows.map(numbers);
  const dueLogs = ({ logsMs, failedLogsMs, logBytes }: RetentionAges) =>
    ask<LogRow & pg.QueryResultRow>(DUE_LOGS, [logsMs, failedLogsMs, logBytes]);
  const dueRows = (text: string, ms: number) => ask<OperationRows & pg.QueryResultRow>(text, [ms]);
  return {
    async due(ages) {
      const sum = new Sum();
      for (const log of await dueLogs(ages)) sum.add(log.kind, { objects: 1, bytes: log.bytes });
      for (const rows of await dueRows(DUE_EVENTS, ages.eventsMs)) sum.add('events', rows);
      for (const rows of await dueRows(DUE_EVIDENCE, ages.eventsMs)) sum.add('evidence', rows);
      for (const keys of await ask<Counted & pg.QueryResultRow>(DUE_KEYS, [ages.idempotencyMs]))
        sum.add('idempotency_keys', keys);
      return sum.items();
    },
    async prune(ages, actor, signal) {
      const sum = new Sum();
      for (const { attempt_id, operation_id, kind } of await dueLogs(ages)) {
        if (signal.aborted) return sum.items();
        const gone = await ask<{ bytes: number }>(PRUNE_LOG, [attempt_id, operation_id, kind, actor]);
        for (const { bytes } of gone) sum.add(kind, { objects: 1, bytes });
      }
      for (const [kind, due, remove] of [
        ['events', DUE_EVENTS, PRUNE_EVENTS],
        ['evidence', DUE_EVIDENCE, PRUNE_EVIDENCE],
      ] as const) {
        for (const { operation_id } of await dueRows(due, ages.eventsMs)) {
          if (signal.aborted) return sum.items();
          for (const gone of await ask<Counted & pg.QueryResultRow>(remove, [operation_id, actor]))
            sum.add(kind, gone);
        }
      }
      let keys: Counted = { objects: 0, bytes: 0 };
      for (let more = true; more && !signal.aborted; ) {
        const [gone] = await ask<Counted & pg.QueryResultRow>(PRUNE_KEYS, [ages.idempotencyMs, KEYS_AT_ONCE]);
        more = gone !== undefined && gone.objects > 0;
        if (gone) keys = { objects: keys.objects + gone.objects, bytes: keys.bytes + gone.bytes };
      }
      if (keys.objects > 0) await ask(TOMBSTONE_KEYS, [actor, keys.objects, keys.bytes]);
      sum.add('idempotency_keys', keys);
      return sum.items();
    },
    async folders({ succeededFoldersMs, otherFoldersMs }) {
      return (
        await ask<FolderRow & pg.QueryResultRow>(DUE_FOLDERS, [succeededFoldersMs, otherFoldersMs])
      ).map(toFolder);
    },
    async forgotten(attemptId, actor) {
      await ask(FORGOTTEN, [attemptId, actor]);
    },
    async alone(work) {
      const unlock = await tryAdvisoryLock(pool, RETENTION_LOCK);
      if (!unlock) return null;
      try {
        return { value: await work() };
      } finally {
        await unlock();
      }
    },
    claimTurn: async (everyMs) => (await ask(CLAIM_TURN, [everyMs])).length > 0,
  };
}

/** By kind, without what is nothing. */
class Sum {
  readonly #items = new Map<PruneKind, Counted>();

  add(kind: PruneKind, { objects, bytes }: Counted): void {
    const before = this.#items.get(kind) ?? { objects: 0, bytes: 0 };
    this.#items.set(kind, { objects: before.objects + objects, bytes: before.bytes + bytes });
  }

  items(): readonly PruneItem[] {
    return [...this.#items].flatMap(([kind, counted]) => (counted.objects > 0 ? [{ kind, ...counted }] : []));
  }
}

/** Sums of bigint are numeric, which arrives as text. */
function numbers<R extends pg.QueryResultRow>(row: R): R {
  const { bytes, objects } = row as { bytes?: unknown; objects?: unknown };
  return {
    ...row,
    ...(typeof bytes === 'string' ? { bytes: Number(bytes) } : {}),
    ...(typeof objects === 'string' ? { objects: Number(objects) } : {}),
  };
}

interface FolderRow {
  readonly id: string;
  readonly operation_id: string;
  readonly node_key: string;
  readonly number: number;
  readonly fence: string;
  readonly run_root: string;
  readonly host: string;
}

function toFolder(row: FolderRow): DueFolder {
  return {
    host: row.host,
    ref: {
      attemptId: row.id,
      operationId: row.operation_id,
      nodeKey: row.node_key,
      number: row.number,
      fence: row.fence,
      runRoot: row.run_root,
    },
  };
}
