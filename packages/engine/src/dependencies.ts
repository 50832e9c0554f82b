import type { Expressions } from '@capstan/model';
import type { HostPort } from './ports/host-port.js';
import type { OperationStore } from './ports/operation-store.js';
import type {
  BlobStore,
  Clock,
  Feed,
  Ids,
  Inventory,
  LogStore,
  PackStore,
  ProofStore,
  Secrets,
  WakeUps,
} from './ports/stores.js';

/** What a worker needs of the world. */
export interface EngineDependencies {
  readonly store: OperationStore;
  readonly inventory: Inventory;
  readonly packs: PackStore;
  readonly blobs: BlobStore;
  readonly secrets: Secrets;
  readonly proofs: ProofStore;
  readonly logs: LogStore;
  readonly wakeUps: WakeUps;
  readonly feed: Feed;
  readonly hosts: HostPort;
  readonly expressions: Expressions;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Unexpected trouble: lost infrastructure and bugs. Never a secret in it. */
  readonly report: (what: string, error: unknown) => void;
}

/** Times in milliseconds. */
export interface EngineOptions {
  /** Attempts that one worker process follows at a time. */
  readonly capacity: number;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  readonly sweepMs: number;
  /** An unreachable host asks for a person after this. */
  readonly unreachableAfterMs: number;
  /** TERM to KILL. */
  readonly cancelGraceMs: number;
  /** A cancel that its host has not confirmed by then is `cancel_unconfirmed`. */
  readonly cancelDeadlineMs: number;
  /** First wait after a blocked call; doubles up to `maxBackoffMs`. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** `started` and `ended` ride with the next commit or get one of their own after this (S4). */
  readonly rideMs: number;
  /** Between two rounds of a check that may still come true. */
  readonly checkIntervalMs: number;
}

export const DEFAULT_OPTIONS: EngineOptions = {
  capacity: 100,
  leaseMs: 20_000,
  heartbeatMs: 5_000,
  sweepMs: 5_000,
  unreachableAfterMs: 120_000,
  cancelGraceMs: 10_000,
  cancelDeadlineMs: 60_000,
  backoffMs: 500,
  maxBackoffMs: 10_000,
  rideMs: 100,
  checkIntervalMs: 500,
};
