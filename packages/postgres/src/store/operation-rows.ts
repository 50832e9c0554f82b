import type { StoredOperation } from '@capstan/engine';
import type {
  AttemptState,
  AttemptStatus,
  NodeStatus,
  OperationStatus,
  Plan,
  Reason,
  RunEnd,
} from '@capstan/model';
import { actorOf } from '../event-row.js';
import type { AttemptRow, NodeRow, OperationRow } from '../sql/load-operation.js';
import { LOAD_ATTEMPTS, LOAD_NODES } from '../sql/load-operation.js';
import type { Queryable } from '../sql/statement.js';
import { run } from '../sql/statement.js';

/** `op-142`. */
export function numberText(number: number): string {
  return `op-${number}`;
}

/** An id or a number as the two arguments of a lookup. */
export function refArguments(ref: string): [string | null, number | null] {
  const number = /^op-(\d{1,15})$/.exec(ref)?.[1];
  return number === undefined ? [ref, null] : [null, Number(number)];
}

/** The rest of an operation whose own row is known. */
export async function readOperation(db: Queryable, row: OperationRow): Promise<StoredOperation> {
  const nodes = await run<NodeRow>(db, LOAD_NODES, [row.id]);
  const attempts = await run<AttemptRow>(db, LOAD_ATTEMPTS, [row.id]);
  return {
    id: row.id,
    number: numberText(row.number),
    planId: row.plan_id,
    plan: row.plan as Plan,
    environment: row.environment,
    subject: row.subject,
    createdBy: actorOf(row.created_by),
    createdAt: row.created_at,
    endedAt: row.ended_at,
    sequence: row.last_seq,
    status: row.status as OperationStatus,
    reason: row.reason as Reason | null,
    nodes: nodes.rows.map((n) => ({
      key: n.key,
      status: n.status as NodeStatus,
      reason: n.reason as Reason | null,
      pending: n.pending,
      attempt: n.attempt,
      attemptId: n.attempt_id,
      tries: n.tries,
      sequence: n.sequence,
      readySequence: n.ready_sequence,
    })),
    attempts: attempts.rows.map(toAttempt),
  };
}

/** An attempt of its row. */
export function toAttempt(row: AttemptRow): AttemptState {
  return {
    id: row.id,
    nodeKey: row.node_key,
    number: row.number,
    host: row.host,
    runRoot: row.run_root,
    fence: row.fence,
    bundleHash: row.bundle_hash,
    status: row.status as AttemptStatus,
    reason: row.reason as Reason | null,
    incarnation: row.incarnation,
    end: row.run_end as RunEnd | null,
    endedSequence: row.ended_sequence,
    sequence: row.sequence,
  };
}
