import type { JsonValue, PackText, RiskLevel } from '@capstan/model';

/**
 * The normal form of the documents: one way to say each thing, snake_case, and itself a document that normalises to
 * itself. What is empty or has its default value is left out.
 */
export interface NormalCapability {
  readonly capability: string;
  readonly on?: string;
  readonly version?: string;
  readonly attributes?: JsonValue;
  readonly observed?: readonly string[];
}

export interface NormalRequirement extends NormalCapability {
  readonly as: string;
  readonly where?: string;
  readonly same_as?: string;
  readonly claim?: boolean;
  readonly claim_params?: Readonly<Record<string, string>>;
}

export interface NormalArtifactInput {
  readonly name: string;
  readonly on?: string;
  readonly optional?: boolean;
  readonly min_remaining?: string;
}

export interface NormalArtifactOutput {
  readonly name: string;
  readonly on?: string;
}

export interface NormalContract {
  readonly inputs: {
    readonly capabilities: readonly NormalCapability[];
    readonly artifacts: readonly NormalArtifactInput[];
  };
  readonly outputs: {
    readonly capabilities: readonly NormalCapability[];
    readonly artifacts: readonly NormalArtifactOutput[];
    readonly evidence: readonly string[];
  };
  readonly proves?: Readonly<Record<string, readonly string[]>>;
}

/** CEL source, or a reference. */
export type NormalParameter = string | { readonly secret: string } | { readonly artifact: string };
export type NormalParameters = Readonly<Record<string, NormalParameter>>;

export interface NormalEstimate {
  readonly p50: string;
  readonly p90: string;
}

export interface NormalRun {
  readonly script?: string;
  readonly command?: readonly string[];
  readonly http?: unknown;
  readonly manual?: PackText;
  readonly reboot?: boolean;
  readonly as?: string;
  readonly timeout?: string;
  readonly idempotent?: boolean;
  readonly retry?: { readonly limit: number; readonly backoff?: string; readonly on?: readonly string[] };
}

export interface NormalJob extends NormalContract {
  readonly id: string;
  readonly title?: PackText;
  readonly summary?: PackText;
  readonly target?: string;
  readonly params?: JsonValue;
  readonly with?: NormalParameters;
  readonly disturbs?: readonly NormalCapability[];
  readonly withdraws?: readonly NormalCapability[];
  readonly proves_absent?: Readonly<Record<string, readonly string[]>>;
  readonly run?: NormalRun;
  readonly when?: string;
  readonly undo?: string;
  readonly skip_if_proved?: boolean;
  readonly on_demand?: boolean;
  readonly destructive?: boolean;
  readonly parallel?: unknown;
  readonly sandbox?: 'any' | 'isolated' | 'never';
  readonly risk?: RiskLevel;
  readonly permissions?: unknown;
  readonly estimate?: NormalEstimate;
}

export interface NormalCheck {
  readonly id: string;
  readonly title?: PackText;
  readonly summary?: PackText;
  readonly on?: string;
  readonly from?: string;
  readonly command?: readonly string[];
  readonly script?: string;
  readonly http?: unknown;
  readonly tcp?: unknown;
  readonly as?: string;
  readonly params?: NormalParameters;
  readonly inputs?: { readonly artifacts: readonly NormalArtifactInput[] };
  readonly expect?: string;
  readonly timeout?: string;
  readonly retry_for?: string;
  readonly stable_for?: string;
  readonly fresh_for?: string;
  readonly observes?: Readonly<Record<string, string>>;
}

export interface NormalStage {
  readonly id: string;
  readonly title?: PackText;
  readonly summary?: PackText;
  readonly after?: readonly string[];
  readonly jobs?: readonly string[];
  readonly provides?: readonly NormalCapability[];
  readonly rollup?: Readonly<Record<string, string>>;
  readonly checks?: readonly string[];
  readonly gates?: readonly unknown[];
}

export interface NormalHostSet {
  readonly title?: PackText;
  readonly count?: string;
  readonly hosts?: string;
  readonly where?: string;
  readonly spread?: string;
  readonly members?: string;
}

export interface NormalScenario {
  readonly id: string;
  readonly version?: string;
  readonly title?: PackText;
  readonly summary?: PackText;
  readonly icon?: string;
  readonly action?: string;
  readonly target_resource_type?: string;
  readonly params?: JsonValue;
  readonly host_sets?: Readonly<Record<string, NormalHostSet>>;
  readonly requires?: readonly NormalRequirement[];
  readonly provides?: readonly NormalCapability[];
  readonly exports?: {
    readonly attributes?: Readonly<Record<string, string>>;
    readonly artifacts?: readonly string[];
  };
  readonly membership?: Readonly<
    Record<string, { readonly add?: string; readonly remove?: string; readonly when_proved?: string }>
  >;
  readonly locks?: readonly { readonly resource: string; readonly mode: string }[];
  readonly may_insert?: readonly { readonly job: string; readonly for: string; readonly max?: number }[];
  readonly generate?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly risk?: RiskLevel;
  readonly gates?: readonly unknown[];
  readonly permissions?: unknown;
  readonly editable?: unknown;
  readonly rollup?: Readonly<Record<string, string>>;
  readonly uninstall?: string;
  readonly estimate?: NormalEstimate;
  readonly stages?: readonly NormalStage[];
}

export interface NormalResourceType {
  readonly id: string;
  readonly key: string;
  readonly title?: PackText;
  readonly members?: Readonly<Record<string, string>>;
  readonly attributes?: JsonValue;
  readonly health?: readonly string[];
}

export interface NormalCapabilityType {
  readonly id: string;
  readonly title?: PackText;
  readonly of?: string;
  readonly version?: number;
  readonly version_attribute?: string;
  readonly attributes?: JsonValue;
  readonly implied_by?: string;
  readonly implements?: string;
  readonly claim?: { readonly scenario: string; readonly release?: string; readonly on_release?: string };
}

export interface NormalArtifactType {
  readonly name: string;
  readonly title?: PackText;
  readonly of: string;
  readonly kind?: 'file' | 'config' | 'secret' | 'token' | 'text';
  readonly sensitive?: boolean;
  readonly keep?: 'operation' | 'resource';
  readonly ttl?: string;
  readonly credential?: boolean;
  readonly identity?: 'content' | 'existence';
  readonly redact?: readonly string[];
  readonly implements?: string;
}

export interface NormalPackHead {
  readonly name: string;
  readonly version: string;
  readonly title?: PackText;
  readonly summary?: PackText;
  readonly icon?: string;
  readonly publisher?: string;
  readonly needs?: Readonly<Record<string, string>>;
  readonly prefer?: Readonly<Record<string, readonly string[]>>;
}

export interface NormalPackParts {
  readonly pack?: NormalPackHead;
  readonly resource_types?: readonly NormalResourceType[];
  readonly capabilities?: readonly NormalCapabilityType[];
  readonly artifacts?: readonly NormalArtifactType[];
  readonly permissions?: { readonly sudo?: boolean; readonly artifacts?: readonly string[] };
}

export interface NormalIntent {
  readonly action: string;
  readonly target_resource?: string;
  readonly target_resource_type?: string;
  readonly desired_result?: Readonly<Record<string, JsonValue>>;
  readonly constraints?: Readonly<Record<string, JsonValue>>;
  readonly hosts?: readonly string[] | Readonly<Record<string, readonly string[]>>;
  readonly approval?: JsonValue;
}

/** A document in normal form. `failure` and `test` are kept as they are. */
export type NormalDocument =
  | { readonly kind: 'intent'; readonly normal: { readonly intent: NormalIntent } }
  | { readonly kind: 'job'; readonly normal: { readonly job: NormalJob } }
  | { readonly kind: 'contract'; readonly normal: NormalContract }
  | { readonly kind: 'check'; readonly normal: { readonly check: NormalCheck } }
  | { readonly kind: 'scenario'; readonly normal: { readonly scenario: NormalScenario } }
  | { readonly kind: 'pack'; readonly normal: NormalPackParts }
  | {
      readonly kind: 'plan_patch' | 'intervention' | 'customizations' | 'failure' | 'test';
      readonly normal: Readonly<Record<string, JsonValue>>;
    };
