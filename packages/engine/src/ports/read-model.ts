import type { AttemptState, Evidence, OperationEvent } from '@capstan/model';
import type { OperationLists } from './operation-lists.js';
import type { StageWrite } from './operation-store.js';
import type { Records } from './records.js';

export interface StoredEvent {
  readonly event: OperationEvent;
  readonly at: string;
}

export interface StoredAttempt extends AttemptState {
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly logSize: number;
  readonly logComplete: boolean;
  /** Changes whenever stored bytes were replaced by a masked copy. */
  readonly logEtag: string;
  /** Bytes that were not kept because the output is too long: `to` is the next one there is. All others keep their offset. */
  readonly logCut?: { readonly from: number; readonly to: number } | null;
  /** When retention removed all of the output; the hash is over the hashes of its pieces. */
  readonly logPruned?: { readonly at: string; readonly sha256: string } | null;
}

/** Events that retention removed: a reader that asks from before `last` missed `first` to `last`. */
export interface EventGap {
  readonly first: number;
  readonly last: number;
  readonly at: string;
  readonly actor: string;
  readonly sha256: string;
}

/** What screens and clients read. Everything is ordered; nothing here decides anything. */
export interface ReadModel extends OperationLists, Records {
  /** In sequence order, after `after`, at most `limit` (≤ 500). */
  events(operationId: string, after: number, limit: number): Promise<readonly StoredEvent[]>;
  /** What is missing of `events` after that sequence, because it was pruned; null = nothing. */
  eventGap(operationId: string, after: number): Promise<EventGap | null>;
  stages(operationId: string): Promise<readonly StageWrite[]>;
  attempts(operationId: string, nodeKeys?: readonly string[]): Promise<readonly StoredAttempt[]>;
  evidence(operationId: string, nodeKeys?: readonly string[]): Promise<readonly Evidence[]>;
  /** Of every operation, in commit order, only below the oldest running transaction: nothing is skipped (api: feed). */
  eventsAcross(
    after: { readonly tx: string; readonly id: string } | null,
    limit: number,
  ): Promise<{
    readonly events: readonly (StoredEvent & {
      readonly operationId: string;
      readonly tx: string;
      readonly id: string;
    })[];
    readonly epoch: string;
  }>;
  /** Changes when the database was restored, failed over or rewound: positions that readers hold mean nothing then. */
  epoch(): Promise<string>;
  /** `true` when the database answers and its schema is the one this build needs. */
  ready(): Promise<boolean>;
}

/** API tokens: stored hashed, never the token itself. */
export interface Tokens {
  /** Idempotent. A name has one token: another one under it ends the former. */
  save(name: string, token: string): Promise<void>;
  /** The name of the token, or null. */
  verify(token: string): Promise<string | null>;
}

/** Decisions of people and clients, one row each; never pruned by default. */
export interface Audit {
  record(entry: {
    readonly actor: string;
    readonly action: string;
    readonly object: string;
    readonly detail: Readonly<Record<string, string | number | boolean | null>>;
  }): Promise<void>;
}
