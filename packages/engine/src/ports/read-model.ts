import type { Evidence } from '@capstan/model';
import type { OperationLists } from './operation-lists.js';
import type { StageWrite } from './operation-store.js';
import type { EventGap, Records, StoredAttempt, StoredEvent } from './records.js';

export type { EventGap, StoredAttempt, StoredEvent } from './records.js';

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
