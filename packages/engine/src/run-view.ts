import type { AttemptStatus, NodeStatus, OperationStatus, Plan, Reason } from '@capstan/model';
import type { StageWrite } from './ports/operation-store.js';

/** A node of an operation with what is known of its newest attempt. Times are RFC 3339. */
export interface RunNode {
  readonly key: string;
  readonly status: NodeStatus;
  readonly reason: Reason | null;
  readonly sequence: number;
  /** Number of the newest attempt; 0 = none yet. */
  readonly attempt: number;
  readonly attemptId: string | null;
  readonly attemptStatus: AttemptStatus | null;
  /** Of the newest attempt. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** When it got its reason; null: it has none, or the event is not kept any more. */
  readonly since: string | null;
}

export interface RunOperation {
  readonly id: string;
  readonly number: string;
  readonly status: OperationStatus;
  readonly reason: Reason | null;
  /** When its last event was written. */
  readonly changedAt: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** A usual duration, ms: half of the cases take at most `p50Ms`, nine of ten at most `p90Ms`. */
export interface Usual {
  readonly p50Ms: number;
  readonly p90Ms: number;
}

/** How long earlier operations of the same scenario took. */
export interface RunHistory {
  readonly runs: number;
  readonly total: Usual;
  /** By {@link stepName}. */
  readonly steps: ReadonlyMap<string, Usual>;
}

/**
 * One operation as {@link progressOf}, {@link blockersOf} and {@link actionsOf} look at it: rows of one moment, from
 * wherever they are held. Of an operation that is over `nodes` may be empty and `plan` null: nothing of it goes on.
 */
export interface RunView {
  readonly operation: RunOperation;
  readonly plan: Pick<Plan, 'revision' | 'stages' | 'nodes' | 'jobs' | 'estimate'> | null;
  /** In the plan's order. */
  readonly stages: readonly StageWrite[];
  readonly nodes: readonly RunNode[];
  readonly history: RunHistory | null;
}

/** What all nodes of a fan-out have in common: `job` of `job`, `job[host]` and `job~2[host]`. */
export function stepName(key: string): string {
  return key.replace(/(~\d+)?(\[.*\])?$/, '');
}
