import type { Generator } from './artifact.js';
import type { Intent } from './intent.js';
import type { Check, Job, RiskLevel } from './job.js';
import type { JsonValue, PackText, Text } from './text.js';

/** A parameter's value, or where its secret value is found at start. */
export type PlannedValue =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'secret'; readonly ref: string }
  | { readonly kind: 'artifact'; readonly owner: string; readonly name: string };

/** An artifact that a node or a check reads; `provider` is a node key, `stored` or `generated`. */
export interface PlannedArtifact {
  readonly name: string;
  readonly owner: string;
  readonly optional: boolean;
  readonly sensitive: boolean;
  readonly identity: 'content' | 'existence';
  readonly provider: string;
}

/** A capability that a node needs and what gives it: a node key, or `fact`. */
export interface PlannedCapability {
  readonly capability: string;
  readonly subject: string;
  readonly provider: string;
}

/** A check bound to its subject, its host and its values. */
export interface PlannedCheck {
  /** Qualified id; the spec is in {@link Plan.checks}. */
  readonly check: string;
  /** Whose fact. */
  readonly subject: string;
  /** Resource key of the host on which it runs. */
  readonly from: string;
  readonly params: Readonly<Record<string, PlannedValue>>;
  readonly inputs: readonly PlannedArtifact[];
}

/** A capability that a node proves on a subject, and the checks that do it. */
export interface PlannedProof {
  readonly capability: string;
  readonly subject: string;
  readonly checks: readonly string[];
  /** Promised attributes; observed ones win. */
  readonly attributes: Readonly<Record<string, JsonValue>>;
}

export interface PlannedOutput {
  readonly name: string;
  readonly owner: string;
  readonly sensitive: boolean;
  readonly kind: 'file' | 'config' | 'secret' | 'token' | 'text';
  readonly keep: 'operation' | 'resource';
  readonly ttlMs: number | null;
  readonly redact: readonly string[];
}

export type PlanNodeKind = 'job' | 'gate' | 'sub_operation';

/** A vertex of the plan. Its key is its identity and is deterministic: `job`, `job[host]`, `job~2[host]`. */
export interface PlanNode {
  readonly key: string;
  readonly kind: PlanNodeKind;
  readonly stage: string;
  /** Qualified job id; the spec is in {@link Plan.jobs}. */
  readonly job: string | null;
  /** Resource key of the host on which it runs. */
  readonly target: string | null;
  readonly dependsOn: readonly string[];
  readonly origin: 'template' | 'planner' | 'patch';
  readonly reason: Text | null;
  readonly params: Readonly<Record<string, PlannedValue>>;
  readonly needs: readonly PlannedCapability[];
  readonly inputs: readonly PlannedArtifact[];
  readonly outputs: readonly PlannedOutput[];
  readonly proofs: readonly PlannedProof[];
  readonly checks: readonly PlannedCheck[];
  /** Facts that become stale when it runs (S4). */
  readonly disturbs: readonly { readonly capability: string; readonly subject: string }[];
}

export interface PlanStage {
  readonly id: string;
  readonly title: PackText;
}

export interface Candidate {
  readonly provider: string;
  readonly taken: boolean;
  readonly reason: Text;
}

/** Requirement → provider, with every candidate and why it was taken or refused (L7). */
export interface Binding {
  /** `<node key>/<capability or artifact>` or `<scenario requirement name>`. */
  readonly requirement: string;
  readonly kind: 'fact' | 'job' | 'artifact' | 'generated' | 'resource';
  readonly provider: string;
  readonly origin: 'template' | 'planner' | 'policy' | 'person';
  readonly reason: Text;
  readonly candidates: readonly Candidate[];
}

export interface PlanGate {
  readonly key: string;
  readonly kind: 'approval' | 'choice' | 'risk';
  readonly question: Text;
}

/** The concrete DAG for one intent. Self-contained: with the pinned packs' files the engine needs nothing else. */
export interface Plan {
  readonly revision: number;
  /** Canonical hash, see {@link planHash}. */
  readonly hash: string;
  readonly intent: Intent;
  readonly scenario: {
    readonly id: string;
    readonly version: string;
    readonly pack: string;
    readonly digest: string;
  };
  readonly title: PackText;
  readonly subject: { readonly key: string; readonly type: string; readonly name: string };
  readonly environment: string;
  readonly params: Readonly<Record<string, JsonValue>>;
  readonly sets: Readonly<Record<string, readonly string[]>>;
  /** Pinned key of every host that the plan touches: a changed key is another plan. */
  readonly hostKeys: Readonly<Record<string, string | null>>;
  readonly packs: readonly { readonly name: string; readonly version: string; readonly digest: string }[];
  readonly stages: readonly PlanStage[];
  /** In an order that respects every edge. */
  readonly nodes: readonly PlanNode[];
  readonly jobs: Readonly<Record<string, Job>>;
  readonly checks: Readonly<Record<string, Check>>;
  readonly bindings: readonly Binding[];
  readonly gates: readonly PlanGate[];
  /** Made by the server at start where the owner has none (S10). */
  readonly generate: readonly {
    readonly artifact: string;
    readonly owner: string;
    readonly generator: Generator;
    readonly sensitive: boolean;
  }[];
  /** What the operation as a whole must prove before it succeeds (S4). */
  readonly provides: readonly (PlannedProof & { readonly bound: readonly PlannedCheck[] })[];
  readonly risk: RiskLevel;
  readonly estimate: { readonly p50Ms: number; readonly p90Ms: number } | null;
  /** `now` of the world it was planned in. */
  readonly plannedAt: string;
}
