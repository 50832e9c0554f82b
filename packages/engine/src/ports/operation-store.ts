import type {
  Actor,
  AttemptState,
  Evidence,
  FactState,
  JsonValue,
  NodeState,
  OperationEvent,
  OperationStatus,
  Plan,
  Problem,
  Provenance,
  Reason,
} from '@capstan/model';

/** One operation as stored: its plan, its rows, and the newest attempt of each node. */
export interface StoredOperation {
  readonly id: string;
  /** `op-142`. */
  readonly number: string;
  readonly planId: string;
  readonly plan: Plan;
  readonly environment: string;
  readonly subject: string;
  readonly createdBy: Actor;
  readonly createdAt: string;
  readonly endedAt: string | null;
  readonly sequence: number;
  readonly status: OperationStatus;
  readonly reason: Reason | null;
  readonly nodes: readonly Omit<NodeState, 'successors'>[];
  readonly attempts: readonly AttemptState[];
}

/** The right to write an operation: taken by compare-and-set on its row, by the database clock (S1). */
export interface Lease {
  readonly operationId: string;
  readonly owner: string;
  /** `<system identifier>.<timeline>.<counter>` (S13). */
  readonly fence: string;
  readonly counter: number;
}

export interface FactWrite {
  readonly resource: string;
  readonly capability: string;
  readonly state: FactState;
  readonly attributes: Readonly<Record<string, JsonValue>>;
  readonly provenance: Provenance;
  readonly evidence: readonly string[];
  readonly checkDigest: string;
  readonly packVersion: string;
  /** From the commit on, by the database clock; null = until something disturbs it. */
  readonly freshForMs: number | null;
}

/** Bytes are in the blob or secret store already; this row makes them an artifact. */
export interface ArtifactWrite {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly sensitive: boolean;
  readonly size: number;
  readonly contentHash: string;
  /** Blob hash or secret reference. */
  readonly storage:
    | { readonly kind: 'blob'; readonly hash: string }
    | { readonly kind: 'secret'; readonly ref: string };
  readonly keep: 'operation' | 'resource';
  readonly nodeKey: string | null;
  readonly attemptId: string | null;
  /** Counts from the start of the attempt on the database clock; null = for ever. */
  readonly ttlMs: number | null;
}

/** The input hash of the newest proven attempt of a job on a subject: what `skip_if_proved` compares (S4). */
export interface ProofWrite {
  readonly subject: string;
  readonly job: string;
  readonly target: string;
  readonly inputHash: string;
  readonly attemptId: string;
}

export interface StageWrite {
  readonly id: string;
  readonly status: 'pending' | 'running' | 'succeeded' | 'needs_attention' | 'cancelled';
  readonly done: number;
  readonly total: number;
  readonly sequence: number;
}

/**
 * One transition of one operation: absolute values, written all or not at all (L9). Empty lists cost nothing: the store
 * chooses its statement by what is there.
 */
export interface OperationChange {
  readonly operationId: string;
  readonly expectedSequence: number;
  readonly sequence: number;
  readonly status: OperationStatus;
  readonly reason: Reason | null;
  /** Sets `wake_at` = now + this by the database clock: from then on the sweep finds it also while it needs attention; null clears it. */
  readonly wakeInMs: number | null;
  readonly events: readonly OperationEvent[];
  readonly nodes: readonly NodeState[];
  readonly attempts: readonly AttemptState[];
  readonly stages: readonly StageWrite[];
  readonly evidence: readonly Evidence[];
  readonly facts: readonly FactWrite[];
  /** Facts that hold now and stop to hold because something disturbs them: state `stale`, the rest untouched. */
  readonly staleFacts: readonly { readonly resource: string; readonly capability: string }[];
  readonly artifacts: readonly ArtifactWrite[];
  readonly proofs: readonly ProofWrite[];
}

/** `stale`: another sequence stands there: reload and decide again. `fenced`: the lease is somebody else's: stop. */
export type CommitResult = 'committed' | 'stale' | 'fenced';

/** A person's or client's key for "the same request again", unique per (subject, mutation), kept 24 h. */
export interface IdempotencyKey {
  readonly subject: string;
  readonly mutation: string;
  readonly key: string;
  readonly inputHash: string;
}

export interface NewOperation {
  readonly id: string;
  readonly planId: string;
  readonly plan: Plan;
  readonly createdBy: Actor;
  readonly resourceId: string;
  readonly events: readonly OperationEvent[];
  readonly nodes: readonly NodeState[];
  readonly stages: readonly StageWrite[];
  readonly idempotency: IdempotencyKey | null;
}

export type CreateResult =
  | { readonly kind: 'created' | 'repeated'; readonly id: string; readonly number: string }
  | { readonly kind: 'running'; readonly id: string; readonly number: string }
  | { readonly kind: 'idempotency_conflict' };

export type CommandResult =
  | { readonly kind: 'done'; readonly sequence: number; readonly repeated: boolean }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'idempotency_conflict' };

/** The only way an operation is written (S12). */
export interface OperationStore {
  /** Plan, operation, resource row, nodes, edges, first events and the wake-up in one transaction; refused while another one of the same subject is not over. */
  create(operation: NewOperation): Promise<CreateResult>;
  /** By id or number. */
  load(ref: string): Promise<StoredOperation | null>;
  /** Takes the row when nobody's lease is running; the counter grows with each take. */
  lease(operationId: string, owner: string, leaseMs: number): Promise<Lease | null>;
  /** Renews every lease of this owner and its heartbeat row; returns the operations that are still its own. */
  renew(owner: string, leaseMs: number): Promise<ReadonlySet<string>>;
  release(lease: Lease): Promise<void>;
  /** The driver's write: one statement, one round trip, one commit. The one that ends the operation gives the lease back. */
  commit(lease: Lease, change: OperationChange): Promise<CommitResult>;
  /** An API command: lock the row, load, decide, write, wake; `decide` is pure and may run once only. */
  command(
    ref: string,
    idempotency: IdempotencyKey | null,
    decide: (
      stored: StoredOperation,
    ) =>
      | { readonly kind: 'change'; readonly change: OperationChange }
      | { readonly kind: 'refused'; readonly problems: readonly Problem[] },
  ): Promise<CommandResult>;
  /**
   * Operations without a living driver that want one (the level-triggered sweep): planned, waiting, running and
   * cancelling ones always; needs_attention and paused ones only when their `wake_at` has passed, since they wait for a person.
   */
  due(limit: number): Promise<readonly string[]>;
}
