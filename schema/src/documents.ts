// Printed by scripts/print-types.mjs from the schemas beside it: change those.

/** A value that a schema leaves open. */
export type RawJson = null | boolean | number | string | RawJson[] | { [key: string]: RawJson };

/** Check: a read-only question whose answer is evidence. */
export type CheckDocument = {
  readonly check: {
    readonly id: RawId;
    readonly title?: RawText;
    readonly summary?: RawText;
    readonly on?: RawOn;
    readonly from?: RawHostExpression;
    readonly command?: RawArgv;
    readonly script?: RawFilePath;
    readonly http?: RawHttp;
    readonly tcp?: RawTcp;
    readonly as?: RawUser;
    readonly params?: RawParameters;
    readonly inputs?: { readonly artifacts?: RawArtifactInputs };
    readonly expect?: RawCel;
    readonly timeout?: RawDuration;
    readonly retry_for?: RawDuration;
    readonly stable_for?: RawDuration;
    readonly fresh_for?: RawDuration;
    readonly observes?: Readonly<Record<string, RawCel>>;
  };
};

export type RawText = { readonly en: RawWords; readonly ru?: RawWords } | RawWords;
export type RawWords = string;
export type RawPackName = string;
export type RawVersion = string;
export type RawVersionRange = string;
export type RawDottedName = string;
export type RawDottedRef = string;
export type RawId = string;
export type RawRef = string;
export type RawAnchor = string;
export type RawVariable = string;
export type RawDuration = string;
export type RawCel = string;
export type RawCelNumber = number | RawCel;
export type RawOn = string;
export type RawHostExpression = string;
export type RawJsonSchema = { [key: string]: RawJson };
export type RawRisk = 'low' | 'medium' | 'high' | 'critical';
export type RawEstimate = { readonly p50: RawDuration; readonly p90: RawDuration };
export type RawFilePath = string;
export type RawUser = string;
export type RawArgv = readonly string[];
export type RawHttp = {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};
export type RawTcp = { readonly host?: string; readonly port: RawCelNumber };
export type RawParameterSource = RawParameterReference | string | number | boolean;
export type RawParameterReference = { readonly secret?: string; readonly artifact?: string };
export type RawParameters = Readonly<Record<string, RawParameterSource>>;
export type RawCapabilityRef =
  | {
      readonly capability: RawDottedRef;
      readonly on?: RawOn;
      readonly version?: RawVersionRange;
      readonly attributes?: { [key: string]: RawJson };
      readonly observed?: readonly RawVariable[];
    }
  | RawDottedRef;
export type RawCapabilityRefs = readonly RawCapabilityRef[];
export type RawArtifactInput =
  | {
      readonly name: RawDottedRef;
      readonly on?: RawOn;
      readonly optional?: boolean;
      readonly min_remaining?: RawDuration;
    }
  | string;
export type RawArtifactInputs = readonly RawArtifactInput[];
export type RawArtifactOutput = { readonly name: RawDottedRef; readonly on?: RawOn } | RawDottedRef;
export type RawArtifactOutputs = readonly RawArtifactOutput[];
export type RawEvidence = readonly RawRef[];
export type RawInputs = {
  readonly capabilities?: RawCapabilityRefs;
  readonly artifacts?: RawArtifactInputs;
  readonly requires?: { readonly capabilities?: RawCapabilityRefs; readonly artifacts?: RawArtifactInputs };
};
export type RawOutputs = {
  readonly capabilities?: RawCapabilityRefs;
  readonly artifacts?: RawArtifactOutputs;
  readonly evidence?: RawEvidence;
  readonly provides?: {
    readonly capabilities?: RawCapabilityRefs;
    readonly artifacts?: RawArtifactOutputs;
    readonly evidence?: RawEvidence;
  };
};
export type RawProves = Readonly<Record<string, readonly RawRef[]>>;
export type RawPermissions = {
  readonly sudo?: boolean;
  readonly artifacts?: readonly RawDottedRef[];
  readonly environments?: readonly string[] | 'any';
  readonly hosts?: readonly string[];
  readonly files?: readonly string[];
  readonly ports?: readonly number[];
  readonly roles?: readonly string[];
};
/** Contract: what a job needs and gives, without the job. */
export type ContractDocument = {
  readonly inputs?: RawInputs;
  readonly outputs?: RawOutputs;
  readonly proves?: RawProves;
};

export type RawCustomizationsChange =
  | RawCustomizationsRemoved
  | RawCustomizationsReplaced
  | RawCustomizationsModified
  | RawCustomizationsInserted;
export type RawCustomizationsRemoved = { readonly removed: RawAnchor };
export type RawCustomizationsReplaced = { readonly replaced: RawAnchor; readonly by: RawRef };
export type RawCustomizationsModified = {
  readonly modified: RawAnchor;
  readonly set: NonNullable<RawPlanPatchModify['set']>;
};
export type RawCustomizationsInserted = {
  readonly inserted: RawRef;
  readonly after?: RawAnchor;
  readonly before?: RawAnchor;
};
/** Customizations: what a fork changes in its template. */
export type CustomizationsDocument = {
  readonly customizations: {
    readonly base_template: string;
    readonly changes: readonly RawCustomizationsChange[];
  };
};

/** Failure signature: how a known failure looks, and the patch that answers it. Accepted, not executed yet. */
export type FailureDocument = {
  readonly failure: { readonly id: RawId; readonly title?: RawText } & { [key: string]: RawJson };
};

export type RawIntentHosts = readonly string[];
export type RawIntentApproval = {
  readonly required?: boolean;
  readonly by?: readonly string[];
  readonly count?: number;
  readonly four_eyes?: boolean;
  readonly expires_in?: RawDuration;
  readonly on_expiry?: 'refuse' | 'wait';
};
/** Intent: a desired result, constraints and an action on a resource or a resource type. */
export type IntentDocument = {
  readonly intent: {
    readonly action: string;
    readonly target_resource?: string;
    readonly target_resource_type?: RawDottedName;
    readonly desired_result?: { readonly name?: string } & { [key: string]: RawJson };
    readonly constraints?: { readonly environment?: string } & { [key: string]: RawJson };
    readonly hosts?: Readonly<Record<string, RawIntentHosts>> | RawIntentHosts;
    readonly approval?: RawIntentApproval;
    readonly name?: string;
  } & { [key: string]: RawJson };
};

/** Intervention: a recorded manual fix, its target, and the checks it owes. */
export type InterventionDocument = {
  readonly intervention: {
    readonly type: 'manually_fixed';
    readonly target: {
      readonly operation?: RawWords;
      readonly stage?: RawRef;
      readonly job?: RawAnchor;
      readonly node?: RawWords;
      readonly host?: RawWords;
    };
    readonly note: RawWords;
    readonly verification?: RawEvidence;
  };
};

export type RawJobRun = {
  readonly script?: RawFilePath;
  readonly command?: RawArgv;
  readonly http?: RawHttp;
  readonly manual?: RawText;
  readonly reboot?: true;
  readonly as?: RawUser;
  readonly timeout?: RawDuration;
  readonly idempotent?: boolean;
  readonly retry?: { readonly limit: number; readonly backoff?: RawDuration; readonly on?: readonly RawId[] };
};
/** Job: the atomic step, with a contract, a target, a run and checks. */
export type JobDocument = {
  readonly job: {
    readonly id: RawId;
    readonly title?: RawText;
    readonly summary?: RawText;
    readonly target?: RawHostExpression;
    readonly params?: RawJsonSchema;
    readonly with?: RawParameters;
    readonly inputs?: RawInputs;
    readonly outputs?: RawOutputs;
    readonly proves?: RawProves;
    readonly disturbs?: RawCapabilityRefs;
    readonly withdraws?: RawCapabilityRefs;
    readonly proves_absent?: RawProves;
    readonly run?: RawJobRun;
    readonly when?: RawCel;
    readonly undo?: RawRef;
    readonly skip_if_proved?: boolean;
    readonly on_demand?: boolean;
    readonly destructive?: boolean;
    readonly parallel?: { readonly max_unavailable?: number; readonly limit?: number };
    readonly sandbox?: 'any' | 'isolated' | 'never';
    readonly risk?: RawRisk;
    readonly permissions?: RawPermissions;
    readonly estimate?: RawEstimate;
  };
};

export type RawPackCapability = {
  readonly id: RawDottedName;
  readonly title?: NonNullable<RawPackCapabilityBody['title']>;
  readonly summary?: NonNullable<RawPackCapabilityBody['summary']>;
  readonly of?: NonNullable<RawPackCapabilityBody['of']>;
  readonly version?: NonNullable<RawPackCapabilityBody['version']>;
  readonly version_attribute?: NonNullable<RawPackCapabilityBody['version_attribute']>;
  readonly attributes?: NonNullable<RawPackCapabilityBody['attributes']>;
  readonly implied_by?: NonNullable<RawPackCapabilityBody['implied_by']>;
  readonly implements?: NonNullable<RawPackCapabilityBody['implements']>;
  readonly claim?: NonNullable<RawPackCapabilityBody['claim']>;
};
export type RawPackCapabilityBody = {
  readonly title?: RawText;
  readonly summary?: RawText;
  readonly of?: RawDottedRef;
  readonly version?: number;
  readonly version_attribute?: RawVariable;
  readonly attributes?: RawJsonSchema;
  readonly implied_by?: RawDottedRef;
  readonly implements?: RawPackName;
  readonly claim?: {
    readonly scenario: RawDottedRef;
    readonly release?: RawDottedRef;
    readonly on_release?: 'keep' | 'delete';
  };
};
export type RawPackArtifact = {
  readonly name: RawDottedName;
  readonly title?: RawText;
  readonly summary?: RawText;
  readonly of: RawDottedRef;
  readonly kind?: 'file' | 'config' | 'secret' | 'token' | 'text';
  readonly sensitive?: boolean;
  readonly keep?: 'operation' | 'resource';
  readonly ttl?: RawDuration;
  readonly credential?: boolean;
  readonly identity?: 'content' | 'existence';
  readonly redact?: readonly string[];
  readonly implements?: RawPackName;
};
/** Pack: who it is, and the resource types, capabilities and artifacts that it declares. */
export type PackDocument = {
  readonly pack?: {
    readonly name: RawPackName;
    readonly version: RawVersion;
    readonly title?: RawText;
    readonly summary?: RawText;
    readonly icon?: RawWords;
    readonly publisher?: RawWords;
    readonly license?: RawWords;
    readonly homepage?: RawWords;
    readonly needs?: Readonly<Record<string, RawVersionRange>>;
    readonly prefer?: Readonly<Record<string, readonly RawRef[]>>;
  };
  readonly resource_types?: readonly {
    readonly id: RawDottedName;
    readonly key: RawId;
    readonly title?: RawText;
    readonly summary?: RawText;
    readonly icon?: RawWords;
    readonly members?: Readonly<Record<string, RawDottedRef>>;
    readonly attributes?: RawJsonSchema;
    readonly health?: RawEvidence;
  }[];
  readonly capabilities?: Readonly<Record<string, RawPackCapabilityBody>> | readonly RawPackCapability[];
  readonly artifacts?: readonly RawPackArtifact[];
  readonly permissions?: RawPermissions;
};

export type RawPlanPatchChange =
  | RawPlanPatchInsertAfter
  | RawPlanPatchInsertBefore
  | RawPlanPatchReplace
  | RawPlanPatchRemove
  | RawPlanPatchModify
  | RawPlanPatchAddGate
  | RawPlanPatchConnect
  | RawPlanPatchDisconnect
  | RawPlanPatchSetOutput
  | RawPlanPatchRebind
  | RawPlanPatchRetry;
export type RawPlanPatchJobs = readonly RawRef[];
export type RawPlanPatchInsertAfter = { readonly insert_after: RawAnchor; readonly jobs: RawPlanPatchJobs };
export type RawPlanPatchInsertBefore = { readonly insert_before: RawAnchor; readonly jobs: RawPlanPatchJobs };
export type RawPlanPatchReplace = { readonly replace: RawAnchor; readonly job: RawRef };
export type RawPlanPatchRemove = { readonly remove: RawAnchor };
export type RawPlanPatchModify = {
  readonly modify: RawAnchor;
  readonly set: {
    readonly params?: { [key: string]: RawJson };
    readonly target?: RawHostExpression;
    readonly timeout?: RawDuration;
    readonly retry?: NonNullable<RawJobRun['retry']>;
  };
};
export type RawPlanPatchAddGate = { readonly add_gate: RawAnchor; readonly gate: RawScenarioGate };
export type RawPlanPatchEnds = { readonly from: RawAnchor; readonly to: RawAnchor };
export type RawPlanPatchConnect = { readonly connect: RawPlanPatchEnds };
export type RawPlanPatchDisconnect = { readonly disconnect: RawPlanPatchEnds };
export type RawPlanPatchSetOutput = {
  readonly set_output: {
    readonly artifact: RawDottedRef;
    readonly on?: RawAnchor;
    readonly value: RawJson;
    readonly evidence?: RawEvidence;
    readonly author?: RawWords;
  };
};
export type RawPlanPatchRebind = { readonly rebind: RawAnchor; readonly provider: RawWords };
export type RawPlanPatchRetry = { readonly retry: RawAnchor | { readonly job: RawAnchor } };
/** PlanPatch: a formal change of a plan. */
export type PlanPatchDocument = {
  readonly plan_patch: {
    readonly base_revision?: number;
    readonly author?: { readonly kind: 'human' | 'rule' | 'analyzer' | 'service'; readonly id: RawWords };
    readonly reason: RawWords;
    readonly changes: readonly RawPlanPatchChange[];
    readonly approval?: RawIntentApproval;
  };
};

export type RawScenarioScenario = {
  readonly id: RawDottedName;
  readonly version?: RawVersion;
  readonly title?: RawText;
  readonly summary?: RawText;
  readonly icon?: RawWords;
  readonly action?: string;
  readonly target_resource_type?: RawDottedRef;
  readonly params?: RawJsonSchema;
  readonly host_sets?: Readonly<Record<string, RawScenarioHostSet>>;
  readonly requires?: readonly RawScenarioRequirement[];
  readonly provides?: RawCapabilityRefs;
  readonly exports?: {
    readonly attributes?: Readonly<Record<string, RawCel>>;
    readonly artifacts?: readonly RawDottedRef[];
  };
  readonly membership?: Readonly<
    Record<
      string,
      {
        readonly add?: RawVariable;
        readonly remove?: RawVariable;
        readonly when_proved?: RawDottedRef;
        readonly when_withdrawn?: RawDottedRef;
      }
    >
  >;
  readonly locks?: readonly { readonly resource: RawOn; readonly mode: 'write' | 'use' }[];
  readonly may_insert?: readonly {
    readonly job: RawRef;
    readonly for: RawDottedRef;
    readonly max?: number;
  }[];
  readonly generate?: Readonly<
    Record<string, Readonly<Record<string, RawScenarioGenerator>> | RawScenarioGenerator>
  >;
  readonly risk?: RawRisk;
  readonly gates?: readonly RawScenarioGate[];
  readonly permissions?: RawPermissions;
  readonly editable?: { readonly stages?: readonly RawId[] | 'all'; readonly locked?: readonly RawId[] };
  readonly rollup?: RawScenarioRollup;
  readonly uninstall?: RawDottedRef;
  readonly estimate?: RawEstimate;
  readonly stages?: readonly RawScenarioStage[];
};
export type RawScenarioShort = {
  readonly scenario: RawDottedName;
  readonly version?: NonNullable<RawScenarioScenario['version']>;
  readonly title?: NonNullable<RawScenarioScenario['title']>;
  readonly summary?: NonNullable<RawScenarioScenario['summary']>;
  readonly icon?: NonNullable<RawScenarioScenario['icon']>;
  readonly action?: NonNullable<RawScenarioScenario['action']>;
  readonly target_resource_type?: NonNullable<RawScenarioScenario['target_resource_type']>;
  readonly params?: NonNullable<RawScenarioScenario['params']>;
  readonly host_sets?: NonNullable<RawScenarioScenario['host_sets']>;
  readonly requires?: NonNullable<RawScenarioScenario['requires']>;
  readonly provides?: NonNullable<RawScenarioScenario['provides']>;
  readonly exports?: NonNullable<RawScenarioScenario['exports']>;
  readonly membership?: NonNullable<RawScenarioScenario['membership']>;
  readonly locks?: NonNullable<RawScenarioScenario['locks']>;
  readonly may_insert?: NonNullable<RawScenarioScenario['may_insert']>;
  readonly generate?: NonNullable<RawScenarioScenario['generate']>;
  readonly risk?: NonNullable<RawScenarioScenario['risk']>;
  readonly gates?: NonNullable<RawScenarioScenario['gates']>;
  readonly permissions?: NonNullable<RawScenarioScenario['permissions']>;
  readonly editable?: NonNullable<RawScenarioScenario['editable']>;
  readonly rollup?: NonNullable<RawScenarioScenario['rollup']>;
  readonly uninstall?: NonNullable<RawScenarioScenario['uninstall']>;
  readonly estimate?: NonNullable<RawScenarioScenario['estimate']>;
  readonly stages?: NonNullable<RawScenarioScenario['stages']>;
};
export type RawScenarioHostSet = {
  readonly title?: RawText;
  readonly count?: RawCelNumber;
  readonly hosts?: RawCel;
  readonly where?: RawCel;
  readonly spread?: RawWords;
  readonly members?: RawVariable;
};
export type RawScenarioRequirement =
  | {
      readonly as?: RawVariable;
      readonly capability: RawDottedRef;
      readonly on?: RawOn;
      readonly version?: RawVersionRange;
      readonly where?: RawCel;
      readonly same_as?: RawVariable;
      readonly claim?: boolean;
      readonly claim_params?: Readonly<Record<string, RawCel>>;
      readonly attributes?: { [key: string]: RawJson };
    }
  | RawDottedRef;
export type RawScenarioGenerator = string;
export type RawScenarioRollup = Readonly<Record<string, string>>;
export type RawScenarioGate = {
  readonly id?: RawId;
  readonly kind: 'approval' | 'choice' | 'risk';
  readonly before?: RawAnchor;
  readonly after?: RawAnchor;
  readonly when?: RawCel;
  readonly title?: RawText;
  readonly question?: RawText;
  readonly options?: readonly {
    readonly id: RawId;
    readonly title?: RawText;
    readonly consequence?: RawText;
  }[];
  readonly approval?: RawIntentApproval;
};
export type RawScenarioStage = {
  readonly id: RawId;
  readonly title?: RawText;
  readonly summary?: RawText;
  readonly after?: readonly RawId[];
  readonly jobs?: readonly RawRef[];
  readonly provides?: RawCapabilityRefs;
  readonly rollup?: RawScenarioRollup;
  readonly checks?: RawEvidence;
  readonly gates?: readonly RawScenarioGate[];
};
/** Scenario: a versioned template for one action on one resource type. */
export type ScenarioDocument = RawScenarioShort | { readonly scenario: RawScenarioScenario };

/** Pack test: a plan snapshot or a simulated run. Accepted, not executed yet. */
export type TestDocument = {
  readonly test: { readonly id: RawId; readonly title?: RawText } & { [key: string]: RawJson };
};
