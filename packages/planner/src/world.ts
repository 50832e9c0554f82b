import type {
  ArtifactRecord,
  Catalog,
  Environment,
  Expressions,
  Fact,
  HostView,
  Intent,
  Plan,
  Problem,
  Resource,
} from '@capstan/model';

/** Everything that planning may know about the installation. The order of the lists never changes a plan. */
export interface World {
  /** RFC 3339 in UTC with milliseconds, as the stored times are: they are compared as strings. */
  readonly now: string;
  readonly environments: readonly Environment[];
  /** Enrolled hosts. */
  readonly hosts: readonly HostView[];
  readonly resources: readonly Resource[];
  readonly facts: readonly Fact[];
  /** Newest versions at least; older ones are ignored. */
  readonly artifacts: readonly ArtifactRecord[];
}

/** What a plan is made from. Nothing else can influence it. */
export interface PlanRequest {
  readonly intent: Intent;
  readonly catalog: Catalog;
  readonly world: World;
  readonly expressions: Expressions;
}

/** A plan, or a refusal that names every unmet requirement and what was tried. */
export type PlanOutcome =
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

/** Budgets. All are counted and never timed, so a slow machine refuses exactly what a fast one refuses (S26). */
export interface PlanningLimits {
  /** Provider searches. */
  readonly expansions: number;
  /** How many inserted jobs may stand behind each other (S3). */
  readonly insertDepth: number;
  /** Different jobs that may be inserted into one plan; their instances over hosts are one decision (S3). */
  readonly insertedJobs: number;
  /** Nodes of one plan. */
  readonly nodes: number;
}

export const PLANNING_LIMITS: PlanningLimits = {
  expansions: 50_000,
  insertDepth: 3,
  insertedJobs: 20,
  nodes: 20_000,
};
