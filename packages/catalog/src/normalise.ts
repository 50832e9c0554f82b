import type { JsonValue } from '@capstan/model';
import type {
  CheckDocument,
  ContractDocument,
  IntentDocument,
  JobDocument,
  PackDocument,
  PlanPatchDocument,
  RawArtifactInput,
  RawArtifactOutput,
  RawCapabilityRef,
  RawInputs,
  RawOutputs,
  RawParameters,
  RawScenarioRequirement,
  RawScenarioScenario,
  RawScenarioStage,
  RawText,
  ScenarioDocument,
} from '@capstan/schema';
import type { DocumentKind } from './document-report.js';
import { formatHostExpression, parseHostExpression } from './host-expression.js';
import type {
  NormalArtifactInput,
  NormalCapability,
  NormalCapabilityType,
  NormalContract,
  NormalDocument,
  NormalIntent,
  NormalPackParts,
  NormalParameters,
  NormalRequirement,
} from './normal-documents.js';

type Json = Readonly<Record<string, JsonValue>>;

/** Keys of an intent that are no parameters; everything else beside them is one (S36). */
export const INTENT_KEYS: readonly string[] = [
  'action',
  'target_resource',
  'target_resource_type',
  'desired_result',
  'constraints',
  'hosts',
  'approval',
];

/** The normal form of a document that its schema accepts. */
export function normalise(kind: DocumentKind, value: JsonValue): NormalDocument {
  switch (kind) {
    case 'intent':
      return {
        kind,
        normal: { intent: intent((value as unknown as IntentDocument).intent as unknown as Json) },
      };
    case 'job':
      return { kind, normal: { job: job((value as unknown as JobDocument).job) } };
    case 'contract':
      return { kind, normal: contract(value as unknown as ContractDocument) };
    case 'check':
      return { kind, normal: { check: check((value as unknown as CheckDocument).check) } };
    case 'scenario':
      return { kind, normal: { scenario: scenario(value as unknown as ScenarioDocument) } };
    case 'pack':
      return { kind, normal: pack(value as unknown as PackDocument) };
    case 'plan_patch':
      return { kind, normal: { plan_patch: planPatch((value as unknown as PlanPatchDocument).plan_patch) } };
    default:
      return { kind, normal: value as Json };
  }
}

function intent(raw: Json): NormalIntent {
  const { desired_result: desired, constraints, hosts, ...rest } = raw;
  const fixed = new Set(INTENT_KEYS);
  const parameters = Object.entries(rest).filter(([key]) => !fixed.has(key));
  const kept = Object.entries(rest).filter(([key]) => fixed.has(key));
  return tidy({
    ...Object.fromEntries(kept),
    desired_result: { ...(desired as Json), ...Object.fromEntries(parameters) },
    constraints,
    hosts: hosts === undefined ? undefined : hostNames(hosts as HostNames),
  }) as unknown as NormalIntent;
}

type HostNames = readonly string[] | Readonly<Record<string, readonly string[]>>;

function hostNames(hosts: HostNames): HostNames {
  const bare = (names: readonly string[]) => names.map((name) => name.replace(/^node\//, ''));
  return Array.isArray(hosts) ? bare(hosts) : mapValues(hosts as Readonly<Record<string, string[]>>, bare);
}

function job(raw: JobDocument['job']) {
  const {
    with: values,
    inputs,
    outputs,
    proves,
    target,
    title,
    summary,
    disturbs,
    withdraws,
    run,
    ...rest
  } = raw;
  return tidy({
    ...rest,
    title: words(title),
    summary: words(summary),
    target: target === undefined ? undefined : hosts(target),
    with: values && parameters(values),
    ...contract({ ...(inputs && { inputs }), ...(outputs && { outputs }), ...(proves && { proves }) }),
    disturbs: disturbs?.map(capability),
    withdraws: withdraws?.map(capability),
    run: run && tidy({ ...run, manual: words(run.manual), as: run.as === 'login' ? undefined : run.as }),
  });
}

function contract(raw: ContractDocument): NormalContract {
  return {
    inputs: inputs(raw.inputs),
    outputs: outputs(raw.outputs),
    ...(raw.proves && Object.keys(raw.proves).length > 0 && { proves: raw.proves }),
  };
}

/** `inputs.capabilities` and `inputs.requires.capabilities` say the same; a document that gives both is refused. */
function inputs(raw: RawInputs = {}): NormalContract['inputs'] {
  return {
    capabilities: (raw.capabilities ?? raw.requires?.capabilities ?? []).map(capability),
    artifacts: (raw.artifacts ?? raw.requires?.artifacts ?? []).map(artifactInput),
  };
}

function outputs(raw: RawOutputs = {}): NormalContract['outputs'] {
  return {
    capabilities: (raw.capabilities ?? raw.provides?.capabilities ?? []).map(capability),
    artifacts: (raw.artifacts ?? raw.provides?.artifacts ?? []).map(artifactOutput),
    evidence: raw.evidence ?? raw.provides?.evidence ?? [],
  };
}

function capability(raw: RawCapabilityRef): NormalCapability {
  return typeof raw === 'string'
    ? { capability: raw }
    : (tidy({ ...raw, on: subject(raw.on) }) as NormalCapability);
}

function artifactInput(raw: RawArtifactInput): NormalArtifactInput {
  if (typeof raw !== 'string') return tidy({ ...raw, on: subject(raw.on) });
  return raw.endsWith('?') ? { name: raw.slice(0, -1), optional: true } : { name: raw };
}

function artifactOutput(raw: RawArtifactOutput) {
  return typeof raw === 'string' ? { name: raw } : tidy({ ...raw, on: subject(raw.on) });
}

function check(raw: CheckDocument['check']) {
  return tidy({
    ...raw,
    title: words(raw.title),
    summary: words(raw.summary),
    on: subject(raw.on),
    from: raw.from === undefined ? undefined : hosts(raw.from),
    as: raw.as === 'login' ? undefined : raw.as,
    params: raw.params && parameters(raw.params),
    inputs: raw.inputs?.artifacts?.length
      ? { artifacts: raw.inputs.artifacts.map(artifactInput) }
      : undefined,
  });
}

function scenario(document: ScenarioDocument) {
  const { scenario: head, ...rest } = document as { scenario: string | RawScenarioScenario };
  const raw = (typeof head === 'string' ? { id: head, ...rest } : head) as RawScenarioScenario;
  const { host_sets: sets, requires, provides, stages, locks, exports, ...others } = raw;
  return tidy({
    ...others,
    title: words(raw.title),
    summary: words(raw.summary),
    // A set without any field is still a set, so sets are not tidied away.
    host_sets:
      sets &&
      mapValues(sets, (set) =>
        tidy({
          ...set,
          title: words(set.title),
          count: set.count === undefined ? undefined : String(set.count),
        }),
      ),
    requires: requires?.map(requirement),
    provides: provides?.map(capability),
    exports: exports && tidy(exports),
    locks: locks?.map((lock) => ({ ...lock, resource: hosts(lock.resource) })),
    stages: stages?.map(stage),
  });
}

function requirement(raw: RawScenarioRequirement): NormalRequirement {
  const full = typeof raw === 'string' ? { capability: raw } : raw;
  // `claim: false` is a choice, not a default: it means the provider itself.
  const { claim, ...rest } = full as Exclude<RawScenarioRequirement, string>;
  const tidied = tidy({ ...rest, as: rest.as ?? requirementName(rest.capability), on: subject(rest.on) });
  return (claim === undefined ? tidied : { ...tidied, claim }) as NormalRequirement;
}

/** The name of a requirement that has none: the last part of its capability. */
function requirementName(capability: string): string {
  return capability
    .slice(Math.max(capability.lastIndexOf('.'), capability.lastIndexOf(':')) + 1)
    .replaceAll('-', '_');
}

function stage(raw: RawScenarioStage) {
  return tidy({
    ...raw,
    title: words(raw.title),
    summary: words(raw.summary),
    provides: raw.provides?.map(capability),
  });
}

function pack(raw: PackDocument): NormalPackParts {
  const declared = raw.capabilities ?? [];
  const list = Array.isArray(declared)
    ? (declared as readonly object[])
    : Object.entries(declared).map(([id, body]) => ({ id, ...(body as object) }));
  const parts = tidy({
    ...raw,
    pack: raw.pack && tidy({ ...raw.pack, title: words(raw.pack.title), summary: words(raw.pack.summary) }),
    resource_types: raw.resource_types?.map((type) => tidy({ ...type, title: words(type.title) })),
    capabilities: list.map((type) => tidy(type)) as readonly NormalCapabilityType[],
    artifacts: raw.artifacts?.map((type) => tidy({ ...type, title: words(type.title) })),
    // `sudo: false` is a statement here: a pack that lists its permissions and not this one.
    permissions: raw.permissions && {
      ...tidy(raw.permissions),
      ...(raw.permissions.sudo === false && { sudo: false }),
    },
  });
  // A document that declares nothing must still be one of parts of a pack.
  return Object.keys(parts).length === 0 ? { capabilities: [] } : parts;
}

function planPatch(raw: PlanPatchDocument['plan_patch']): JsonValue {
  const changes = raw.changes.map((change) =>
    'retry' in change && typeof change.retry === 'string' ? { retry: { job: change.retry } } : change,
  );
  return { ...raw, changes } as unknown as JsonValue;
}

function parameters(raw: RawParameters): NormalParameters {
  return mapValues(raw, (value) => (typeof value === 'object' ? value : String(value))) as NormalParameters;
}

function words(raw: RawText | undefined): RawText | undefined {
  return typeof raw === 'object' && raw.ru === undefined ? raw.en : raw;
}

function hosts(raw: string): string {
  const expression = parseHostExpression(raw);
  return expression === null ? raw : formatHostExpression(expression);
}

function subject(raw: string | undefined): string | undefined {
  return raw === undefined ? undefined : hosts(raw);
}

/** Leaves out what says nothing: no value, an empty list or map, a `false` that is the default. */
function tidy<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => !isNothing(item))) as T;
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === false) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function mapValues<V, W>(map: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
