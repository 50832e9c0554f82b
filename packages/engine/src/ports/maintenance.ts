import type { AttemptRef } from './host-port.js';

/** `busy`: another rotation runs. `resumed`: it went on with one that had been interrupted. Keys by their public ids. */
export type KeyRotation =
  | {
      readonly kind: 'rotated';
      readonly former: string;
      readonly current: string;
      readonly rewrapped: number;
      readonly resumed: boolean;
    }
  | { readonly kind: 'busy' };

/** The key that encrypts the data keys of secrets. */
export interface Keys {
  /** Replaces it while everything goes on; `batch` data keys per transaction, `progress` after each. */
  rotate(options?: {
    readonly batch?: number;
    readonly progress?: (rewrapped: number) => void;
  }): Promise<KeyRotation>;
}

/** How long things are kept, ms from the end of their operation or attempt on the database clock; bytes for `logBytes`. */
export interface RetentionAges {
  /** Output of attempts that succeeded or were cancelled. */
  readonly logsMs: number;
  /** Output of all other attempts. */
  readonly failedLogsMs: number;
  /** All output together; the oldest goes first, that of failed attempts last. */
  readonly logBytes: number;
  readonly eventsMs: number;
  /** Run folders on hosts, after success and after any other known end. */
  readonly succeededFoldersMs: number;
  readonly otherFoldersMs: number;
  readonly idempotencyMs: number;
}

export const PRUNE_KINDS = [
  'logs',
  'failed_logs',
  'events',
  'evidence',
  'idempotency_keys',
  'run_folders',
] as const;
export type PruneKind = (typeof PRUNE_KINDS)[number];

/** What goes, or went, of one kind. `bytes` is null where nobody knows it before looking at the host. */
export interface PruneItem {
  readonly kind: PruneKind;
  readonly objects: number;
  readonly bytes: number | null;
}

/** A run folder whose end is durable and old enough (S13). */
export interface DueFolder {
  /** `node/<name>` */
  readonly host: string;
  readonly ref: Omit<AttemptRef, 'secretRoot'>;
}

/** Removes what is old; each removal leaves a tombstone in the same transaction. */
export interface Retention {
  /** What `prune` would remove now. */
  due(ages: RetentionAges): Promise<readonly PruneItem[]>;
  /** Removes it, object by object; stops between two when the signal aborts. Gives what it removed. */
  prune(ages: RetentionAges, actor: string, signal: AbortSignal): Promise<readonly PruneItem[]>;
  /** Oldest first, host by host. Never of an attempt whose end is unknown or not confirmed. */
  folders(ages: RetentionAges): Promise<readonly DueFolder[]>;
  /** Its host has removed the folder. */
  forgotten(attemptId: string, actor: string): Promise<void>;
  /** Runs it while nobody else does, in whatever process; null when somebody does. */
  alone<T>(work: () => Promise<T>): Promise<{ readonly value: T } | null>;
  /** True for one caller per `everyMs`, by the database clock: whose turn the daily run is. */
  claimTurn(everyMs: number): Promise<boolean>;
}
