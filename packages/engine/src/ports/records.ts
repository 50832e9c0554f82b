import type { ArtifactRecord, AttemptState, Evidence, OperationEvent } from '@capstan/model';

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

export interface NodeOfOperation {
  readonly operationId: string;
  readonly nodeKey: string;
}

/** Evidence and the plan that asked for it. */
export interface StoredEvidence extends Evidence {
  readonly operationId: string;
  readonly planId: string;
}

export interface OperationAttempt extends StoredAttempt {
  readonly operationId: string;
}

export interface StoredArtifact extends ArtifactRecord {
  readonly nodeKey: string | null;
  readonly attemptId: string | null;
}

export interface RecordPage {
  /** Only those of a larger id. */
  readonly after: string | null;
  /** For each parent. */
  readonly limit: number;
}

/** What operations leave behind, for many parents at a time: one statement a call. Pages are ordered by id. */
export interface Records {
  /** In sequence order, at most `limit` (≤ 500) of each operation. */
  eventsOf(
    operationIds: readonly string[],
    after: number,
    limit: number,
  ): Promise<ReadonlyMap<string, readonly StoredEvent[]>>;
  /** What retention removed of each operation's events after that sequence. */
  eventGapsOf(operationIds: readonly string[], after: number): Promise<ReadonlyMap<string, EventGap>>;
  /** Oldest first. */
  attemptsOf(nodes: readonly NodeOfOperation[]): Promise<readonly OperationAttempt[]>;
  /** Oldest first. */
  evidenceOf(nodes: readonly NodeOfOperation[]): Promise<readonly StoredEvidence[]>;
  evidencePages(
    operationIds: readonly string[],
    page: RecordPage,
  ): Promise<ReadonlyMap<string, readonly StoredEvidence[]>>;
  /** `owner`: of each name the newest version that outlives its operation; `operation`: all that it made. */
  artifactPages(
    by: 'owner' | 'operation',
    parents: readonly string[],
    page: RecordPage,
  ): Promise<ReadonlyMap<string, readonly StoredArtifact[]>>;
  attemptsById(ids: readonly string[]): Promise<readonly OperationAttempt[]>;
  evidenceById(ids: readonly string[]): Promise<readonly StoredEvidence[]>;
  artifactsById(ids: readonly string[]): Promise<readonly StoredArtifact[]>;
  /** Bytes of those artifacts that are not sensitive and at most `limit` bytes, by id. */
  artifactBytes(ids: readonly string[], limit: number): Promise<ReadonlyMap<string, Uint8Array>>;
}
