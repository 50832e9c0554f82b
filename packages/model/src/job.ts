import type { CapabilityRef, On } from './capability.js';
import type { JsonValue, PackText } from './text.js';

/** Where a job runs: `target` in documents, `place` in code, because the operation's own resource is the target there. */
export type JobPlace =
  | { readonly kind: 'host' }
  | { readonly kind: 'each'; readonly set: string }
  | { readonly kind: 'first'; readonly set: string; readonly healthy: boolean }
  | { readonly kind: 'other'; readonly source: string };

/** An artifact that a job reads. */
export interface ArtifactInput {
  readonly name: string;
  readonly on?: On;
  readonly optional: boolean;
  readonly minRemainingMs?: number;
}

/** An artifact that a job writes to `$CAPSTAN_OUTPUTS/<name>`. */
export interface ArtifactOutput {
  readonly name: string;
  readonly on?: On;
}

/** What a job needs and gives. */
export interface Contract {
  readonly inputs: {
    readonly capabilities: readonly CapabilityRef[];
    readonly artifacts: readonly ArtifactInput[];
  };
  readonly outputs: {
    readonly capabilities: readonly CapabilityRef[];
    readonly artifacts: readonly ArtifactOutput[];
    /** Ids of the checks that confirm the outputs. */
    readonly evidence: readonly string[];
  };
}

/** A parameter value: a CEL expression, or a reference that never becomes a CEL value because it is secret (S16). */
export type ParameterSource =
  | { readonly kind: 'cel'; readonly source: string }
  | { readonly kind: 'secret'; readonly ref: string }
  | { readonly kind: 'artifact'; readonly ref: string };

/** How an attempt runs. Times in milliseconds. */
export interface Run {
  readonly kind: 'script' | 'command' | 'http' | 'manual' | 'reboot';
  /** Path inside the pack, for `script`. */
  readonly script?: string;
  /** argv, for `command`; values never enter it. */
  readonly command?: readonly string[];
  /** `login`, `root` or a user name. */
  readonly as: string;
  readonly timeoutMs: number;
  readonly idempotent: boolean;
  readonly retry: { readonly limit: number; readonly backoffMs: number; readonly on: readonly string[] };
}

/** The atomic step: a contract, a place, a run and the checks that prove it. */
export interface Job {
  readonly id: string;
  readonly pack: string;
  readonly title: PackText;
  readonly place: JobPlace;
  readonly params?: JsonValue;
  readonly with: Readonly<Record<string, ParameterSource>>;
  readonly contract: Contract;
  /** Capability or artifact → ids of the checks that prove it. Always complete: the default is written out. */
  readonly proves: Readonly<Record<string, readonly string[]>>;
  readonly run: Run | null;
  readonly skipIfProved: boolean;
  readonly onDemand: boolean;
  readonly destructive: boolean;
  readonly disturbs: readonly CapabilityRef[];
  readonly sandbox: 'any' | 'isolated' | 'never';
  readonly risk: RiskLevel;
  readonly estimate?: { readonly p50Ms: number; readonly p90Ms: number };
  /** Hash of everything that decides what this job does, its script included. */
  readonly digest: string;
  /** Fields that are accepted but not executed yet; planning refuses a plan that would need them. */
  readonly notExecuted: readonly string[];
}

export type RiskLevel = 'low' | 'medium' | 'high' | 'critical';
export const RISK_LEVELS: readonly RiskLevel[] = ['low', 'medium', 'high', 'critical'];

/** A read-only question whose answer is evidence. Times in milliseconds. */
export interface Check {
  readonly id: string;
  readonly pack: string;
  readonly title?: PackText;
  /** Whose fact the answer is; absent: decided by what the check proves. */
  readonly on?: On;
  /** Where it runs; absent: the job's own host. */
  readonly from?: On;
  readonly kind: 'command' | 'script' | 'http' | 'tcp';
  readonly command?: readonly string[];
  readonly script?: string;
  readonly as: string;
  readonly params: Readonly<Record<string, ParameterSource>>;
  readonly inputs: readonly ArtifactInput[];
  /** CEL over `{exit_code, stdout, stderr, json}`. */
  readonly expect: string;
  readonly timeoutMs: number;
  readonly retryForMs: number;
  readonly stableForMs: number;
  readonly freshForMs: number | null;
  /** Attribute name → CEL over the same values: what was observed becomes the fact's attributes. */
  readonly observes: Readonly<Record<string, string>>;
  readonly digest: string;
  readonly notExecuted: readonly string[];
}

/** `pack:id`, the one way a job or check is named outside its pack. */
export function qualified(item: { readonly pack: string; readonly id: string }): string {
  return `${item.pack}:${item.id}`;
}
