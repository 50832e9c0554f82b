import type { JsonValue } from './text.js';

/** One change of a plan. Editor gestures, forks, rules, AI and API clients all emit these and nothing else (L3). */
export type PlanChange =
  | {
      readonly kind: 'insert_after' | 'insert_before';
      readonly anchor: string;
      readonly jobs: readonly string[];
    }
  | { readonly kind: 'replace'; readonly node: string; readonly job: string }
  | { readonly kind: 'remove'; readonly node: string }
  | { readonly kind: 'modify'; readonly node: string; readonly set: Readonly<Record<string, JsonValue>> }
  | { readonly kind: 'add_gate'; readonly anchor: string; readonly gate: JsonValue }
  | { readonly kind: 'connect' | 'disconnect'; readonly from: string; readonly to: string }
  | {
      readonly kind: 'set_output';
      readonly artifact: string;
      readonly on: string;
      readonly value: JsonValue;
      readonly evidence: readonly string[];
      readonly author: string;
    }
  | { readonly kind: 'rebind'; readonly requirement: string; readonly provider: string }
  | { readonly kind: 'retry'; readonly job: string };

export const PLAN_CHANGE_KINDS = [
  'insert_after',
  'insert_before',
  'replace',
  'remove',
  'modify',
  'add_gate',
  'connect',
  'disconnect',
  'set_output',
  'rebind',
  'retry',
] as const satisfies readonly PlanChange['kind'][];

/** A formal change of a plan: append-only, based on a revision, with an author and a reason. */
export interface PlanPatch {
  /** Absent in the mission's form: the revision at submission (S22). */
  readonly baseRevision: number | null;
  readonly author: { readonly kind: 'human' | 'rule' | 'analyzer' | 'service'; readonly id: string } | null;
  readonly reason: string;
  readonly changes: readonly PlanChange[];
  readonly approval: JsonValue | null;
}

/** The PlanPatch between a template and a fork of it, as a document shows it. */
export interface Customizations {
  readonly baseTemplate: string;
  readonly changes: readonly PlanChange[];
}

/** A recorded manual fix, its target, and the checks it owes. */
export interface Intervention {
  readonly type: string;
  readonly target: Readonly<Record<string, string>>;
  readonly note: string;
  readonly verification: readonly string[];
}
