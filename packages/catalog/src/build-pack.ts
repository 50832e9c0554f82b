import type {
  ArtifactInput,
  ArtifactType,
  CapabilityRef,
  CapabilityType,
  Check,
  Contract,
  Job,
  JsonValue,
  Pack,
  ParameterSource,
  Requirement,
  ResourceType,
  Run,
  Scenario,
  Stage,
} from '@capstan/model';
import { canonicalHash } from '@capstan/model';
import { parseDuration } from './duration.js';
import { parseGenerator } from './generator.js';
import { jobPlace, parseOn } from './host-expression.js';
import { bareName } from './name-parts.js';
import type {
  NormalArtifactInput,
  NormalCapability,
  NormalCheck,
  NormalContract,
  NormalJob,
  NormalParameters,
  NormalRequirement,
  NormalRun,
  NormalScenario,
} from './normal-documents.js';
import { checkNotExecuted, jobNotExecuted, scenarioNotExecuted } from './not-executed.js';
import { declaredBy, documentsOf, type PackDraft } from './pack-draft.js';
import type { PackScope } from './pack-scope.js';

const DEFAULTS = { jobTimeout: '10m', checkTimeout: '30s', backoff: '10s', publisher: 'unknown' } as const;

/** The model's pack of a draft in which every rule holds. */
export function buildPack(draft: PackDraft, scope: PackScope): Pack {
  const head = draft.head;
  if (head === null) throw new TypeError('a pack without a head has no name');
  const { hashes } = draft.folder;
  const fileHash = (path: string | undefined) => (path === undefined ? null : (hashes[path] ?? null));
  const checks = documentsOf(draft.documents, 'check').map(({ normal }) =>
    buildCheck(normal.check, head.name, fileHash),
  );
  const digestOf = (reference: string): string => {
    const scoped = scope.check(reference);
    if (scoped === null) throw new TypeError(`the check ${reference} was not found`);
    if (!scoped.own) return scoped.check.digest;
    return checks.find(({ id }) => id === scoped.check.normal.check.id)?.digest ?? '';
  };
  const permissions = documentsOf(draft.documents, 'pack').map(({ normal }) => normal.permissions ?? {});
  return {
    name: head.name,
    version: head.version,
    title: head.title ?? head.name,
    ...(head.summary !== undefined && { summary: head.summary }),
    publisher: head.publisher ?? DEFAULTS.publisher,
    needs: head.needs ?? {},
    resourceTypes: resourceTypes(draft, head.name),
    capabilities: capabilityTypes(draft, head.name),
    artifacts: artifactTypes(draft, head.name),
    scenarios: documentsOf(draft.documents, 'scenario').map(({ normal }) =>
      buildScenario(normal.scenario, head.name),
    ),
    jobs: documentsOf(draft.documents, 'job').map(({ normal }) =>
      buildJob(normal.job, head.name, fileHash, digestOf),
    ),
    checks,
    files: Object.fromEntries(Object.entries(hashes).filter(([path]) => draft.folder.files.has(path))),
    permissions: Object.assign({}, ...permissions) as JsonValue,
    digest: canonicalHash('capstan/pack/v1', hashes),
  };
}

function resourceTypes(draft: PackDraft, pack: string): readonly ResourceType[] {
  return declaredBy(draft, 'resource_types').map(({ id, key, title, health = [] }) => ({
    id,
    pack,
    key,
    ...(title && { title }),
    health,
  }));
}

function capabilityTypes(draft: PackDraft, pack: string): readonly CapabilityType[] {
  const declared = declaredBy(draft, 'capabilities');
  const ownerOf = (type: (typeof declared)[number]): string =>
    // One that only follows from another belongs to the same type of resource.
    type.of ?? declared.find(({ id }) => id === bareName(type.implied_by ?? ''))?.of ?? '';
  return declared.map((type) => ({
    id: type.id,
    pack,
    of: bareName(ownerOf(type)),
    version: type.version ?? 1,
    ...(type.version_attribute !== undefined && { versionAttribute: type.version_attribute }),
    ...(type.attributes !== undefined && { attributes: type.attributes }),
    ...(type.implied_by !== undefined && { impliedBy: type.implied_by }),
  }));
}

function artifactTypes(draft: PackDraft, pack: string): readonly ArtifactType[] {
  return declaredBy(draft, 'artifacts').map((type) => ({
    name: type.name,
    pack,
    of: bareName(type.of),
    kind: type.kind ?? 'file',
    sensitive: type.sensitive ?? false,
    keep: type.keep ?? 'operation',
    ...(type.ttl !== undefined && { ttlMs: milliseconds(type.ttl) }),
    credential: type.credential ?? false,
    identity: type.identity ?? (type.ttl !== undefined || type.credential === true ? 'existence' : 'content'),
    redact: type.redact ?? [],
  }));
}

type FileHash = (path: string | undefined) => string | null;

function buildCheck(check: NormalCheck, pack: string, fileHash: FileHash): Check {
  const kind =
    check.script !== undefined
      ? 'script'
      : check.command !== undefined
        ? 'command'
        : check.http !== undefined
          ? 'http'
          : 'tcp';
  const on = check.on === undefined ? null : parseOn(check.on);
  const from = check.from === undefined ? null : parseOn(check.from);
  return {
    id: check.id,
    pack,
    ...(check.title !== undefined && { title: check.title }),
    ...(on !== null && { on }),
    ...(from !== null && { from }),
    kind,
    ...(check.command !== undefined && { command: check.command }),
    ...(check.script !== undefined && { script: check.script }),
    as: check.as ?? 'login',
    params: parameterSources(check.params),
    inputs: (check.inputs?.artifacts ?? []).map(artifactInput),
    expect: check.expect ?? 'exit_code == 0',
    timeoutMs: milliseconds(check.timeout ?? DEFAULTS.checkTimeout),
    retryForMs: milliseconds(check.retry_for ?? '0s'),
    stableForMs: milliseconds(check.stable_for ?? '0s'),
    freshForMs: check.fresh_for === undefined ? null : milliseconds(check.fresh_for),
    observes: check.observes ?? {},
    digest: canonicalHash('capstan/check/v1', {
      pack,
      check: withoutWords(check),
      script: fileHash(check.script),
    }),
    notExecuted: checkNotExecuted(check),
  };
}

function buildJob(
  job: NormalJob,
  pack: string,
  fileHash: FileHash,
  digestOf: (check: string) => string,
): Job {
  return {
    id: job.id,
    pack,
    title: job.title ?? job.id,
    place: jobPlace(job.target ?? 'host'),
    ...(job.params !== undefined && { params: job.params }),
    with: parameterSources(job.with),
    contract: contract(job),
    proves: completeProves(job),
    run: job.run === undefined ? null : buildRun(job.run),
    skipIfProved: job.skip_if_proved ?? false,
    onDemand: job.on_demand ?? false,
    destructive: job.destructive ?? false,
    disturbs: (job.disturbs ?? []).map(capabilityRef),
    sandbox: job.sandbox ?? 'isolated',
    risk: job.risk ?? 'medium',
    ...(job.estimate !== undefined && {
      estimate: { p50Ms: milliseconds(job.estimate.p50), p90Ms: milliseconds(job.estimate.p90) },
    }),
    digest: canonicalHash('capstan/job/v1', {
      pack,
      job: withoutWords(job),
      script: fileHash(job.run?.script),
      checks: job.outputs.evidence.map((check) => [check, digestOf(check)]),
    }),
    notExecuted: jobNotExecuted(job),
  };
}

/** The default written out: all evidence proves each capability; an artifact needs proof only where the job says so. */
function completeProves({
  outputs,
  proves = {},
}: NormalContract): Readonly<Record<string, readonly string[]>> {
  const written = (name: string) =>
    Object.entries(proves).find(([output]) => bareName(output) === bareName(name))?.[1];
  const capabilities = outputs.capabilities.map(
    ({ capability }) => [capability, written(capability) ?? outputs.evidence] as const,
  );
  const artifacts = outputs.artifacts.flatMap(({ name }) => {
    const checks = written(name);
    return checks === undefined ? [] : [[name, checks] as const];
  });
  return Object.fromEntries([...capabilities, ...artifacts]);
}

function buildRun(run: NormalRun): Run {
  const kind = (['script', 'command', 'http', 'manual', 'reboot'] as const).find(
    (each) => run[each] !== undefined,
  );
  if (kind === undefined) throw new TypeError('a run of no kind passed the rules');
  const { retry } = run;
  return {
    kind,
    ...(run.script !== undefined && { script: run.script }),
    ...(run.command !== undefined && { command: run.command }),
    as: run.as ?? 'login',
    timeoutMs: milliseconds(run.timeout ?? DEFAULTS.jobTimeout),
    idempotent: run.idempotent ?? false,
    retry: {
      limit: retry?.limit ?? 0,
      backoffMs: milliseconds(retry?.backoff ?? DEFAULTS.backoff),
      on: retry === undefined ? [] : (retry.on ?? ['transient']),
    },
  };
}

function buildScenario(scenario: NormalScenario, pack: string): Scenario {
  const { version, action, target_resource_type: type } = scenario;
  if (version === undefined || action === undefined || type === undefined)
    throw new TypeError('an incomplete scenario passed the rules');
  return {
    id: scenario.id,
    pack,
    version,
    title: scenario.title ?? scenario.id,
    ...(scenario.summary !== undefined && { summary: scenario.summary }),
    action,
    targetResourceType: bareName(type),
    params: scenario.params ?? { type: 'object', additionalProperties: false, properties: {} },
    hostSets: Object.entries(scenario.host_sets ?? {}).map(([name, set]) => ({ name, ...set })),
    requires: (scenario.requires ?? []).map(requirement),
    provides: (scenario.provides ?? []).map(capabilityRef),
    generate: Object.entries(scenario.generate ?? {}).flatMap(([artifact, source]) => {
      const generator = typeof source === 'string' ? parseGenerator(source) : null;
      return generator === null ? [] : [{ artifact, generator }];
    }),
    stages: (scenario.stages ?? []).map(
      (stage): Stage => ({
        id: stage.id,
        title: stage.title ?? stage.id,
        after: stage.after ?? [],
        jobs: stage.jobs ?? [],
        provides: (stage.provides ?? []).map(capabilityRef),
      }),
    ),
    risk: scenario.risk ?? 'medium',
    mayInsert: (scenario.may_insert ?? []).map((insert) => ({
      job: insert.job,
      for: insert.for,
      max: insert.max ?? 1,
    })),
    digest: canonicalHash('capstan/scenario/v1', {
      pack,
      scenario: { ...withoutWords(scenario), stages: (scenario.stages ?? []).map(withoutWords) },
    }),
    notExecuted: scenarioNotExecuted(scenario),
  };
}

function contract({ inputs, outputs }: NormalContract): Contract {
  return {
    inputs: {
      capabilities: inputs.capabilities.map(capabilityRef),
      artifacts: inputs.artifacts.map(artifactInput),
    },
    outputs: {
      capabilities: outputs.capabilities.map(capabilityRef),
      artifacts: outputs.artifacts.map(({ name, on }) => ({ name, ...subject(on) })),
      evidence: outputs.evidence,
    },
  };
}

function capabilityRef({ capability, on, attributes }: NormalCapability): CapabilityRef {
  return { capability, ...subject(on), ...(attributes !== undefined && { attributes }) };
}

function requirement(raw: NormalRequirement): Requirement {
  return {
    ...capabilityRef(raw),
    as: raw.as,
    ...(raw.version !== undefined && { version: raw.version }),
    ...(raw.where !== undefined && { where: raw.where }),
    ...(raw.same_as !== undefined && { sameAs: raw.same_as }),
    ...(raw.claim !== undefined && { claim: raw.claim }),
    ...(raw.claim_params !== undefined && { claimParams: raw.claim_params }),
  };
}

function artifactInput({ name, on, optional, min_remaining: remaining }: NormalArtifactInput): ArtifactInput {
  return {
    name,
    ...subject(on),
    optional: optional ?? false,
    ...(remaining !== undefined && { minRemainingMs: milliseconds(remaining) }),
  };
}

function subject(source: string | undefined): { readonly on?: NonNullable<CapabilityRef['on']> } {
  const on = source === undefined ? null : parseOn(source);
  return on === null ? {} : { on };
}

function parameterSources(parameters: NormalParameters = {}): Readonly<Record<string, ParameterSource>> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, source]): [string, ParameterSource] => {
      if (typeof source === 'string') return [name, { kind: 'cel', source }];
      return 'secret' in source
        ? [name, { kind: 'secret', ref: source.secret }]
        : [name, { kind: 'artifact', ref: source.artifact }];
    }),
  );
}

/** Words and estimates decide nothing: an approval must not lapse because a title was improved (S27). */
function withoutWords<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => !['title', 'summary', 'icon', 'estimate'].includes(key)),
  ) as Partial<T>;
}

function milliseconds(duration: string): number {
  const parsed = parseDuration(duration);
  if (parsed === null) throw new TypeError(`the duration ${duration} passed the schema`);
  return parsed;
}
