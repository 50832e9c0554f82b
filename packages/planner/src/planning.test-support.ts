import type {
  ArtifactInput,
  ArtifactRecord,
  ArtifactType,
  CapabilityRef,
  CapabilityType,
  Check,
  Expressions,
  Fact,
  HostView,
  Intent,
  Job,
  JobPlace,
  JsonValue,
  On,
  Pack,
  ParameterSource,
  Plan,
  Problem,
  Resource,
  ResourceType,
  Scenario,
  Stage,
} from '@capstan/model';
import { planIntent } from './plan.js';
import type { PlanningLimits, World } from './world.js';
import { PLANNING_LIMITS } from './world.js';

const NOW = '2026-03-01T12:00:00.000Z';
export const LATER = '2026-03-01T13:00:00.000Z';
export const BEFORE = '2026-03-01T11:00:00.000Z';

/** `each(db)`, `first(db)`, `host`, or anything else as written. */
function place(source: string): JobPlace {
  const match = /^(each|first)\((?:(healthy)\()?(\w+)\)*$/.exec(source);
  if (match === null) return source === 'host' ? { kind: 'host' } : { kind: 'other', source };
  return match[1] === 'each'
    ? { kind: 'each', set: match[3] as string }
    : { kind: 'first', set: match[3] as string, healthy: match[2] !== undefined };
}

/** `host`, `target`, `binding:NAME`, `all(SET)` … */
export function on(source: string): On {
  if (source === 'host' || source === 'target') return { kind: source };
  if (source.startsWith('binding:'))
    return {
      kind: 'binding',
      name: source.slice(8).replace(/\.claim$/, ''),
      claim: source.endsWith('.claim'),
    };
  const match = /^(all|first|any)\((\w+)\)$/.exec(source) as RegExpExecArray;
  return { kind: match[1] as 'all' | 'first' | 'any', set: match[2] as string };
}

/** `name` or `name@subject`; for artifacts also `name?`. */
function split(source: string): { readonly name: string; readonly on?: On } {
  const [name, subject] = source.split('@') as [string, string?];
  return subject === undefined ? { name } : { name, on: on(subject) };
}

function capability(source: string): CapabilityRef {
  const { name, ...rest } = split(source);
  return { capability: name, ...rest };
}

function artifactInput(source: string): ArtifactInput {
  const { name, ...rest } = split(source);
  return { name: name.replace(/\?$/, ''), optional: name.endsWith('?'), ...rest };
}

export interface JobSpec extends Partial<Omit<Job, 'place' | 'contract' | 'with' | 'proves' | 'disturbs'>> {
  readonly at?: string;
  readonly needs?: readonly string[];
  readonly reads?: readonly (string | ArtifactInput)[];
  readonly gives?: readonly (string | CapabilityRef)[];
  readonly writes?: readonly string[];
  readonly evidence?: readonly string[];
  readonly proves?: Readonly<Record<string, readonly string[]>>;
  readonly with?: Readonly<Record<string, string | ParameterSource>>;
  readonly disturbs?: readonly string[];
}

/** A job; without `proves` each capability is proved by the check `ok`. */
export function job(id: string, spec: JobSpec = {}): Job {
  const { at, needs, reads, gives, writes, evidence, proves, with: values, disturbs, ...rest } = spec;
  const outputs = (gives ?? []).map((each) => (typeof each === 'string' ? capability(each) : each));
  return {
    id,
    pack: 'app',
    title: id,
    place: place(at ?? 'each(web)'),
    with: Object.fromEntries(
      Object.entries(values ?? {}).map(([name, source]) => [
        name,
        typeof source === 'string' ? { kind: 'cel', source } : source,
      ]),
    ),
    contract: {
      inputs: {
        capabilities: (needs ?? []).map(capability),
        artifacts: (reads ?? []).map((each) => (typeof each === 'string' ? artifactInput(each) : each)),
      },
      outputs: {
        capabilities: outputs,
        artifacts: (writes ?? []).map(split),
        evidence: evidence ?? (outputs.length > 0 ? ['ok'] : []),
      },
    },
    proves: proves ?? Object.fromEntries(outputs.map((output) => [output.capability, evidence ?? ['ok']])),
    run: {
      kind: 'command',
      command: ['true'],
      as: 'login',
      timeoutMs: 60_000,
      idempotent: true,
      retry: { limit: 0, backoffMs: 0, on: [] },
    },
    skipIfProved: false,
    onDemand: false,
    destructive: false,
    disturbs: (disturbs ?? []).map(capability),
    sandbox: 'any',
    risk: 'low',
    digest: `digest-${id}`,
    notExecuted: [],
    ...rest,
  };
}

export function check(id: string, spec: Partial<Check> = {}): Check {
  return {
    id,
    pack: 'app',
    kind: 'command',
    command: ['true'],
    as: 'login',
    params: {},
    inputs: [],
    expect: 'exit_code == 0',
    timeoutMs: 1000,
    retryForMs: 0,
    stableForMs: 0,
    freshForMs: null,
    observes: {},
    digest: `digest-${id}`,
    notExecuted: [],
    ...spec,
  };
}

export function stage(
  id: string,
  jobs: readonly string[],
  after: readonly string[] = [],
  provides: readonly string[] = [],
): Stage {
  return { id, title: id, after, jobs, provides: provides.map(capability) };
}

export function scenario(stages: readonly Stage[], spec: Partial<Scenario> = {}): Scenario {
  return {
    id: 'app.install',
    pack: 'app',
    version: '1.0.0',
    title: 'Install',
    action: 'install',
    targetResourceType: 'app',
    params: { type: 'object', properties: {} },
    hostSets: [{ name: 'web' }],
    requires: [],
    provides: [],
    generate: [],
    stages,
    risk: 'low',
    mayInsert: [],
    digest: 'digest-scenario',
    notExecuted: [],
    ...spec,
  };
}

export function hostCapability(id: string, pack = 'app'): CapabilityType {
  return { id, pack, of: 'node', version: 1 };
}

export function appCapability(id: string, pack = 'app'): CapabilityType {
  return { id, pack, of: 'app', version: 1 };
}

export function artifact(name: string, spec: Partial<ArtifactType> = {}): ArtifactType {
  return {
    name,
    pack: 'app',
    of: 'app',
    kind: 'text',
    sensitive: false,
    keep: 'resource',
    credential: false,
    identity: 'content',
    redact: [],
    ...spec,
  };
}

export const NODE: ResourceType = { id: 'node', pack: 'host', key: 'node', health: [] };
export const APP: ResourceType = { id: 'app', pack: 'app', key: 'app', health: [] };

/** A pack; what is in it is told its pack. */
export function pack(name: string, spec: Partial<Pack> = {}): Pack {
  const owned = <T extends { readonly pack: string }>(items: readonly T[] | undefined): readonly T[] =>
    (items ?? []).map((item) => ({ ...item, pack: name }));
  return {
    version: '1.0.0',
    title: name,
    publisher: 'test',
    needs: {},
    files: {},
    permissions: {},
    digest: `digest-${name}`,
    ...spec,
    name,
    resourceTypes: owned(spec.resourceTypes),
    capabilities: owned(spec.capabilities),
    artifacts: owned(spec.artifacts),
    scenarios: owned(spec.scenarios),
    jobs: owned(spec.jobs),
    checks: owned(spec.checks),
  };
}

/** The pack `host` as the real one: one on-demand job that proves access and OS. */
export const HOST_PACK = pack('host', {
  resourceTypes: [NODE],
  capabilities: [hostCapability('ssh.access'), hostCapability('linux.host')],
  jobs: [
    job('check-host', {
      at: 'host',
      gives: ['ssh.access', 'linux.host'],
      onDemand: true,
      skipIfProved: true,
    }),
  ],
  checks: [check('ok')],
});

/** The pack `app`: a scenario of these jobs in one stage, or of these stages. */
export function appPack(
  spec: Partial<Pack> & { readonly stages?: readonly Stage[]; readonly scenario?: Partial<Scenario> },
): Pack {
  const { stages, scenario: of, ...rest } = spec;
  const listed = stages ?? [
    stage(
      'main',
      (spec.jobs ?? []).filter((each) => !each.onDemand).map((each) => each.id),
    ),
  ];
  return pack('app', {
    needs: { host: '^1' },
    resourceTypes: [APP],
    scenarios: [scenario(listed, of)],
    checks: [check('ok')],
    ...rest,
  });
}

export function host(name: string, spec: Partial<HostView> = {}): HostView {
  return {
    name,
    key: `node/${name}`,
    environment: 'lab',
    address: `10.0.0.${name.length}`,
    provenance: 'real',
    isolated: true,
    hostKeyFingerprint: null,
    tier: 'own',
    ...spec,
  };
}

export function fact(resource: string, name: string, spec: Partial<Fact> = {}): Fact {
  return {
    resource,
    capability: name,
    state: 'holds',
    attributes: {},
    provenance: 'real',
    evidence: ['e1'],
    checkDigest: 'd',
    packVersion: '1.0.0',
    provedAt: BEFORE,
    freshUntil: LATER,
    ...spec,
  };
}

export function stored(owner: string, name: string, spec: Partial<ArtifactRecord> = {}): ArtifactRecord {
  return {
    id: `${owner}-${name}-1`,
    owner,
    name,
    version: 1,
    sensitive: false,
    size: 1,
    contentHash: 'h',
    operationId: null,
    keep: 'resource',
    createdAt: BEFORE,
    expiresAt: null,
    ...spec,
  };
}

export function resource(key: string, type: string, environment = 'lab'): Resource {
  return { id: key, key, type, environment, attributes: {} };
}

function world(spec: Partial<World> = {}): World {
  return {
    now: NOW,
    environments: [
      { name: 'default', kind: 'standard' },
      { name: 'lab', kind: 'lab' },
    ],
    hosts: [host('a'), host('b'), host('c')],
    resources: [],
    facts: [],
    artifacts: [],
    ...spec,
  };
}

function intent(spec: Partial<Intent> = {}): Intent {
  return {
    action: 'install',
    targetResourceType: 'app',
    desiredResult: { name: 'main' },
    constraints: {},
    hosts: ['a'],
    ...spec,
  };
}

export interface Case {
  readonly packs: readonly Pack[];
  readonly intent?: Partial<Intent>;
  readonly world?: Partial<World>;
  readonly limits?: Partial<PlanningLimits>;
}

/** The plan of a case; a refusal fails the test with its problems. */
export function planned(given: Case): Plan {
  const outcome = outcomeOf(given);
  if (outcome.kind === 'plan') return outcome.plan;
  throw new Error(`refused: ${JSON.stringify(outcome.problems, null, 2)}`);
}

/** The problems of a case; a plan fails the test. */
export function problemsOf(given: Case): readonly Problem[] {
  const outcome = outcomeOf(given);
  if (outcome.kind === 'refused') return outcome.problems;
  throw new Error(`planned: ${outcome.plan.nodes.map((node) => node.key).join(', ')}`);
}

export function outcomeOf(given: Case) {
  const { packs, limits } = given;
  return planIntent(
    { intent: intent(given.intent), catalog: { packs }, world: world(given.world), expressions: EXPRESSIONS },
    { ...PLANNING_LIMITS, ...limits },
  );
}

/** Node key → what it waits for. */
export function edges(plan: Plan): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(plan.nodes.map((node) => [node.key, node.dependsOn]));
}

/** Paths, JSON literals, one-element lists and `a == b`: enough language to test what planning does with values. */
const EXPRESSIONS: Expressions = {
  check: () => null,
  evaluate: (source, values) => {
    try {
      return { ok: true, value: read(source.trim(), values) };
    } catch (error) {
      return { ok: false, error: (error as Error).message };
    }
  },
};

function read(source: string, values: Readonly<Record<string, JsonValue>>): JsonValue {
  const equal = source.split(' == ');
  if (equal.length === 2)
    return (
      JSON.stringify(read(equal[0] as string, values)) === JSON.stringify(read(equal[1] as string, values))
    );
  if (/^\[[a-z].*\]$/.test(source)) return [read(source.slice(1, -1), values)];
  if (!/^[a-z]/i.test(source) || ['true', 'false', 'null'].includes(source))
    return JSON.parse(source) as JsonValue;
  return source.split('.').reduce<JsonValue>(
    (at, name) => {
      const next =
        at !== null && typeof at === 'object' && Object.hasOwn(at, name)
          ? (at as Record<string, JsonValue>)[name]
          : undefined;
      if (next === undefined) throw new Error(`no such key: ${name}`);
      return next;
    },
    values as { [key: string]: JsonValue },
  );
}
