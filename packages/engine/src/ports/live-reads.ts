import type { NodeStatus, OperationStatus, Plan, Reason } from '@capstan/model';
import type { StageWrite } from './operation-store.js';
import type { StoredAttempt, StoredEvent } from './read-model.js';

/** What of an operation never changes while it is watched. */
export interface WatchedOperation {
  readonly id: string;
  /** `op-142` */
  readonly number: string;
  readonly plan: Plan;
  readonly createdAt: string;
}

/** A plan node in an operation, light enough to send a thousand of them. */
export interface LiveNode {
  readonly key: string;
  /** Of the last event that changed the node or its newest attempt: the upsert rule of the live protocol. */
  readonly sequence: number;
  readonly status: NodeStatus;
  readonly reason: Reason | null;
  /** Number of the newest attempt; 0 = none yet. */
  readonly attempt: number;
  readonly attemptId: string | null;
  /** Of the newest attempt. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** The row of a node without its attempt. */
export type LiveNodeRow = Omit<LiveNode, 'startedAt' | 'endedAt'>;

export interface LiveAttemptRow {
  readonly id: string;
  readonly nodeKey: string;
  readonly sequence: number;
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
  readonly endedAt: string | null;
  readonly planRevision: number;
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
  /** By id or number. */
  operation(ref: string): Promise<WatchedOperation | null>;
  /** Rows with a sequence above `after`; of the events after it at most the newest `events`. */
  rows(operationId: string, after: number, events: number): Promise<LiveRows | null>;
  /** In sequence order, after `after`, at most `limit`. */
  events(operationId: string, after: number, limit: number): Promise<readonly StoredEvent[]>;
  attemptLog(attemptId: string): Promise<LiveLog | null>;
  /** Changes when the database was restored, failed over or rewound: a watcher's position means nothing then. */
  epoch(): Promise<string>;
}
