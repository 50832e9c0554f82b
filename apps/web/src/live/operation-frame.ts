import type { NodeStatus, OperationStatus } from '@capstan/model';

/** What the subscription `operationEvents` carries, its texts in the reader's language. */
export interface OperationFrame {
  readonly from: number;
  readonly to: number;
  /** Server time, RFC 3339. */
  readonly at: string;
  /** The frame is everything: what is not in it is not there. */
  readonly reset: boolean;
  readonly operation: OperationHead;
  readonly stages: readonly StageRow[];
  readonly nodeRuns: readonly NodeRow[];
  readonly planRevision: number;
  readonly events: readonly EventRow[];
}

export interface OperationHead {
  readonly id: string;
  readonly number: string;
  readonly sequence: number;
  readonly status: OperationStatus;
  readonly reason: string | null;
  readonly title: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly progress: ProgressRow;
  readonly blockers: readonly BlockerRow[];
  readonly actions: readonly ActionRow[];
}

export interface ProgressRow {
  readonly phase: string | null;
  readonly phasesDone: number;
  readonly phasesTotal: number;
  readonly addedByPatch: number;
  readonly needsAttention: number;
  /** Null without ground for it. */
  readonly remaining: { readonly lowSeconds: number; readonly highSeconds: number } | null;
  readonly longerThanUsual: boolean;
}

export interface BlockerRow {
  readonly kind: string;
  readonly what: string;
  /** `permission:<name>`, or `capstan`: it goes on by itself. */
  readonly who: readonly string[];
  readonly since: string;
}

export interface ActionRow {
  readonly verb: string;
  readonly allowed: boolean;
  /** Why not, when it is not allowed. */
  readonly why: string | null;
  /** What it will do. */
  readonly effect: string;
}

export type StageStatus = 'pending' | 'running' | 'needs_attention' | 'succeeded' | 'cancelled';

export interface StageRow {
  readonly id: string;
  readonly sequence: number;
  readonly title: string;
  readonly status: StageStatus;
  readonly done: number;
  readonly total: number;
}

export interface NodeRow {
  readonly key: string;
  readonly sequence: number;
  readonly status: NodeStatus;
  readonly reason: string | null;
  /** Number of the newest attempt; 0 = none yet. */
  readonly attempt: number;
  readonly attemptId: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export interface EventRow {
  readonly sequence: number;
  readonly at: string;
  readonly type: string;
  readonly actor: { readonly kind: string; readonly id: string };
  readonly nodeKey: string | null;
  readonly attemptId: string | null;
  readonly text: string;
}
