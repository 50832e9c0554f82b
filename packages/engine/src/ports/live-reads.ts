import type { AttemptStatus, OperationStatus, Plan, Reason } from '@capstan/model';
import type { RunHistory, RunNode } from '../run-view.js';
import type { StageWrite } from './operation-store.js';
import type { StoredAttempt, StoredEvent } from './read-model.js';

/** The row of a node without its newest attempt. */
export type LiveNodeRow = Omit<RunNode, 'attemptStatus' | 'startedAt' | 'endedAt'>;

export interface LiveAttemptRow {
  readonly id: string;
  readonly nodeKey: string;
  readonly sequence: number;
  readonly status: AttemptStatus;
  readonly startedAt: string;
  readonly endedAt: string | null;
}

/** An operation and what of it is newer than a sequence, all of one moment. */
export interface LiveRows {
  /** Of the operation's last event. */
  readonly sequence: number;
  /** The moment, by the database clock. */
  readonly at: string;
  readonly status: OperationStatus;
  readonly reason: Reason | null;
  /** Null: not started, or nothing is left that says when. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** When its last event was written; null: it is not kept any more. */
  readonly changedAt: string | null;
  /** `op-142` */
  readonly number: string;
  readonly createdAt: string;
  /** `kubernetes.create` */
  readonly scenario: string;
  readonly planRevision: number;
  /** Null: the reader has that revision. */
  readonly plan: Plan | null;
  readonly nodes: readonly LiveNodeRow[];
  readonly attempts: readonly LiveAttemptRow[];
  readonly stages: readonly StageWrite[];
  /** The newest of those after the sequence, in order, without a gap. */
  readonly events: readonly StoredEvent[];
}

/** The stored output of an attempt, and whose it is. */
export interface LiveLog
  extends Pick<StoredAttempt, 'logSize' | 'logComplete' | 'logEtag' | 'logCut' | 'logPruned'> {
  readonly attemptId: string;
  readonly operationId: string;
}

/** What watchers are told from: each call is one statement, whatever the length of the history. */
export interface LiveReads {
  /** The id of an id or a number; null: there is no such operation. */
  operationId(ref: string): Promise<string | null>;
  /**
   * Rows with a sequence above `after`; of the events after it at most the newest `events`; the plan unless its revision
   * is `knownRevision`. Null: there is no such operation any more.
   */
  rows(operationId: string, after: number, events: number, knownRevision: number): Promise<LiveRows | null>;
  /** How long earlier operations of that scenario took. */
  history(scenario: string): Promise<RunHistory | null>;
  /** In sequence order, after `after`, at most `limit`. */
  events(operationId: string, after: number, limit: number): Promise<readonly StoredEvent[]>;
  attemptLog(attemptId: string): Promise<LiveLog | null>;
  /** Changes when the database was restored, failed over or rewound: a watcher's position means nothing then. */
  epoch(): Promise<string>;
}
