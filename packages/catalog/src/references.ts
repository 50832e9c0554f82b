import type {
  NormalCapability,
  NormalCheck,
  NormalContract,
  NormalDocument,
  NormalJob,
  NormalPackParts,
  NormalScenario,
} from './normal-documents.js';
import type { Path } from './source-document.js';

/** Kinds of things that a document names and another one declares. `output`: a capability or an artifact. */
export type Referent =
  | 'job'
  | 'check'
  | 'scenario'
  | 'capability'
  | 'artifact'
  | 'output'
  | 'resource_type'
  | 'pack'
  | 'script';

/** A name that a document uses: bare, or `pack:name`. */
export interface Reference {
  readonly what: Referent;
  readonly name: string;
  readonly path: Path;
}

/** What a document declares for others to name. */
export function declarations(document: NormalDocument): readonly Reference[] {
  switch (document.kind) {
    case 'job':
      return [{ what: 'job', name: document.normal.job.id, path: ['job', 'id'] }];
    case 'check':
      return [{ what: 'check', name: document.normal.check.id, path: ['check', 'id'] }];
    case 'scenario':
      return [{ what: 'scenario', name: document.normal.scenario.id, path: ['scenario', 'id'] }];
    case 'pack':
      return packDeclarations(document.normal);
    default:
      return [];
  }
}

function packDeclarations(normal: NormalPackParts): readonly Reference[] {
  const { pack, resource_types: types = [], capabilities = [], artifacts = [] } = normal;
  return [
    ...(pack === undefined ? [] : [{ what: 'pack' as const, name: pack.name, path: ['pack', 'name'] }]),
    ...types.map(({ id }, index) => ({
      what: 'resource_type' as const,
      name: id,
      path: ['resource_types', index, 'id'],
    })),
    ...capabilities.map(({ id }, index) => ({
      what: 'capability' as const,
      name: id,
      path: ['capabilities', index, 'id'],
    })),
    ...artifacts.map(({ name }, index) => ({
      what: 'artifact' as const,
      name,
      path: ['artifacts', index, 'name'],
    })),
  ];
}

/** Everything that a document names and does not hold itself, in the order in which it stands. */
export function references(document: NormalDocument): readonly Reference[] {
  switch (document.kind) {
    case 'job':
      return jobReferences(document.normal.job);
    case 'contract':
      return contractReferences(document.normal, []);
    case 'check':
      return checkReferences(document.normal.check);
    case 'scenario':
      return scenarioReferences(document.normal.scenario);
    case 'pack':
      return packReferences(document.normal);
    default:
      return [];
  }
}

function jobReferences(job: NormalJob): readonly Reference[] {
  return [
    ...contractReferences(job, ['job']),
    ...capabilities(job.disturbs, ['job', 'disturbs']),
    ...capabilities(job.withdraws, ['job', 'withdraws']),
    ...provers(job.proves_absent, ['job', 'proves_absent']),
    ...one('script', job.run?.script, ['job', 'run', 'script']),
    ...one('job', job.undo, ['job', 'undo']),
  ];
}

function contractReferences(contract: NormalContract, base: Path): readonly Reference[] {
  return [
    ...capabilities(contract.inputs.capabilities, [...base, 'inputs', 'capabilities']),
    ...named('artifact', contract.inputs.artifacts, [...base, 'inputs', 'artifacts']),
    ...capabilities(contract.outputs.capabilities, [...base, 'outputs', 'capabilities']),
    ...named('artifact', contract.outputs.artifacts, [...base, 'outputs', 'artifacts']),
    ...list('check', contract.outputs.evidence, [...base, 'outputs', 'evidence']),
    ...provers(contract.proves, [...base, 'proves']),
  ];
}

function checkReferences(check: NormalCheck): readonly Reference[] {
  return [
    ...named('artifact', check.inputs?.artifacts, ['check', 'inputs', 'artifacts']),
    ...one('script', check.script, ['check', 'script']),
  ];
}

function scenarioReferences(scenario: NormalScenario): readonly Reference[] {
  const base: Path = ['scenario'];
  const { may_insert: inserts = [], membership = {}, stages = [] } = scenario;
  return [
    ...one('resource_type', scenario.target_resource_type, [...base, 'target_resource_type']),
    ...capabilities(scenario.requires, [...base, 'requires']),
    ...capabilities(scenario.provides, [...base, 'provides']),
    ...list('artifact', scenario.exports?.artifacts, [...base, 'exports', 'artifacts']),
    ...Object.entries(membership).flatMap(([set, change]) =>
      one('capability', change.when_proved, [...base, 'membership', set, 'when_proved']),
    ),
    ...inserts.flatMap((insert, index) => [
      ...one('job', insert.job, [...base, 'may_insert', index, 'job']),
      ...one('output', insert.for, [...base, 'may_insert', index, 'for']),
    ]),
    ...list('artifact', Object.keys(scenario.generate ?? {}), null, (name) => [...base, 'generate', name]),
    ...rollups(scenario.rollup, [...base, 'rollup']),
    ...one('scenario', scenario.uninstall, [...base, 'uninstall']),
    ...stages.flatMap((stage, index) => {
      const at: Path = [...base, 'stages', index];
      return [
        ...list('job', stage.jobs, [...at, 'jobs']),
        ...capabilities(stage.provides, [...at, 'provides']),
        ...rollups(stage.rollup, [...at, 'rollup']),
        ...list('check', stage.checks, [...at, 'checks']),
      ];
    }),
  ];
}

function packReferences(normal: NormalPackParts): readonly Reference[] {
  const { pack, resource_types: types = [], capabilities: declared = [], artifacts = [] } = normal;
  return [
    ...list('pack', Object.keys(pack?.needs ?? {}), null, (name) => ['pack', 'needs', name]),
    ...Object.entries(pack?.prefer ?? {}).flatMap(([output, jobs]) => [
      ...one('output', output, ['pack', 'prefer', output]),
      ...list('job', jobs, ['pack', 'prefer', output]),
    ]),
    ...types.flatMap((type, index) => [
      ...Object.entries(type.members ?? {}).flatMap(([set, member]) =>
        one('resource_type', member, ['resource_types', index, 'members', set]),
      ),
      ...list('check', type.health, ['resource_types', index, 'health']),
    ]),
    ...declared.flatMap((type, index) => [
      ...one('resource_type', type.of, ['capabilities', index, 'of']),
      ...one('capability', type.implied_by, ['capabilities', index, 'implied_by']),
      ...one('scenario', type.claim?.scenario, ['capabilities', index, 'claim', 'scenario']),
      ...one('scenario', type.claim?.release, ['capabilities', index, 'claim', 'release']),
    ]),
    ...artifacts.flatMap((type, index) => one('resource_type', type.of, ['artifacts', index, 'of'])),
    ...list('artifact', normal.permissions?.artifacts, ['permissions', 'artifacts']),
  ];
}

function capabilities(refs: readonly NormalCapability[] | undefined, base: Path): readonly Reference[] {
  return (refs ?? []).map(({ capability }, index) => ({
    what: 'capability',
    name: capability,
    path: [...base, index, 'capability'],
  }));
}

function named(
  what: Referent,
  refs: readonly { readonly name: string }[] | undefined,
  base: Path,
): readonly Reference[] {
  return (refs ?? []).map(({ name }, index) => ({ what, name, path: [...base, index, 'name'] }));
}

function list(
  what: Referent,
  names: readonly string[] | undefined,
  base: Path | null,
  pathOf: (name: string, index: number) => Path = (_, index) => [...(base ?? []), index],
): readonly Reference[] {
  return (names ?? []).map((name, index) => ({ what, name, path: pathOf(name, index) }));
}

function one(what: Referent, name: string | undefined, path: Path): readonly Reference[] {
  return name === undefined ? [] : [{ what, name, path }];
}

function provers(
  proves: Readonly<Record<string, readonly string[]>> | undefined,
  base: Path,
): readonly Reference[] {
  return Object.entries(proves ?? {}).flatMap(([output, checks]) => [
    { what: 'output' as const, name: output, path: [...base, output] },
    ...list('check', checks, [...base, output]),
  ]);
}

/** `all(workers, kubernetes.node.joined)`: the capability that is rolled up, and the one that it becomes. */
function rollups(rollup: Readonly<Record<string, string>> | undefined, base: Path): readonly Reference[] {
  return Object.entries(rollup ?? {}).flatMap(([capability, source]) => [
    { what: 'capability' as const, name: capability, path: [...base, capability] },
    ...one('capability', /,\s*([^)\s]+)/.exec(source)?.[1], [...base, capability]),
  ]);
}
