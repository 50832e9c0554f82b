import type { Actor, OperationStatus, PackText, Plan, Reason } from '@capstan/model';
import type { RunView } from '../run-view.js';

/** The row of an operation and what a list shows beside it. Times are RFC 3339. */
export interface OperationSummary {
  readonly id: string;
  /** `op-142`. */
  readonly number: string;
  readonly title: PackText;
  readonly status: OperationStatus;
  readonly reason: Reason | null;
  readonly subject: string;
  readonly environment: string;
  readonly scenario: string;
  readonly planId: string;
  readonly planRevision: number;
  readonly parentId: string | null;
  readonly createdBy: Actor;
  readonly createdAt: string;
  /** Null: not started, or nothing is left that says when. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** When its last event was written; null: it is not kept any more. */
  readonly changedAt: string | null;
  readonly sequence: number;
}

export interface OperationFilter {
  readonly first: number;
  /** An operation id: only older ones. */
  readonly before?: string;
  readonly subject?: string;
  readonly statuses?: readonly OperationStatus[];
}

export interface StoredPlan {
  readonly id: string;
  readonly plan: Plan;
  readonly createdAt: string;
}

/** Operations many at a time: every method is a fixed number of statements, however many are asked for. */
export interface OperationLists {
  /** Newest first. */
  operations(filter: OperationFilter): Promise<readonly OperationSummary[]>;
  /** Those that exist of these ids and numbers, in any order. */
  operationsByRef(refs: readonly string[]): Promise<readonly OperationSummary[]>;
  /** Of each of these resources, newest first, `limit` each; `before` is an operation id. */
  operationsOf(
    subjects: readonly string[],
    page: { readonly before: string | null; readonly limit: number },
  ): Promise<ReadonlyMap<string, readonly OperationSummary[]>>;
  /** In the order in which they were made. */
  childrenOf(parentIds: readonly string[]): Promise<readonly OperationSummary[]>;
  /** By operation id. `open`: without the nodes and the plan of those that are over. */
  runs(operations: readonly OperationSummary[], nodes: 'open' | 'all'): Promise<ReadonlyMap<string, RunView>>;
  /** By plan id. */
  plans(ids: readonly string[]): Promise<ReadonlyMap<string, StoredPlan>>;
}
