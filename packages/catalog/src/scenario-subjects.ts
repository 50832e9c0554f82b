import type { On, Problem } from '@capstan/model';
import { parseHostExpression, parseOn, setsOf } from './host-expression.js';
import { bareName } from './name-parts.js';
import type { NormalScenario } from './normal-documents.js';
import type { PlacedScenario } from './pack-draft.js';
import { HOST_TYPE, type PackScope, type ScopedJob } from './pack-scope.js';
import { ProblemList } from './problem-list.js';
import type { Path } from './source-document.js';

/** A capability or artifact in a contract, with where it stands; null for a contract of another pack. */
interface ContractRef {
  readonly what: 'capability' | 'artifact';
  readonly name: string;
  readonly on: On | null;
  readonly path: Path | null;
}

/** Every job of a scenario against it: whose capability is meant (S14), and whether sets and bindings exist. */
export function checkScenarioSubjects(document: PlacedScenario, scope: PackScope): readonly Problem[] {
  const { scenario } = document.normal;
  const own = new ProblemList(document.checked);
  const problems: Problem[] = [];
  for (const [index, stage] of (scenario.stages ?? []).entries()) {
    for (const [at, name] of (stage.jobs ?? []).entries()) {
      const job = scope.job(name);
      if (job === null) continue;
      const list = job.own ? new ProblemList(job.job.checked) : own;
      const path: Path = ['scenario', 'stages', index, 'jobs', at];
      for (const ref of contractOf(job)) checkSubject(ref, job.own ? ref.path : path, scenario, scope, list);
      checkSets(job, job.own ? ['job', 'target'] : path, scenario, list);
      if (job.own)
        problems.push(
          ...list.problems,
          ...checkEvidenceHosts(job.job.normal.job.outputs.evidence, scenario, scope),
        );
    }
  }
  checkGiven(scenario, scope, own);
  checkGenerated(scenario, scope, own);
  return [...own.problems, ...problems];
}

function contractOf(scoped: ScopedJob): readonly ContractRef[] {
  if (!scoped.own) {
    const { inputs, outputs } = scoped.job.contract;
    const refs = [...inputs.capabilities, ...outputs.capabilities];
    const artifacts = [...inputs.artifacts, ...outputs.artifacts];
    return [
      ...refs.map(({ capability, on }) => ({
        what: 'capability' as const,
        name: capability,
        on: on ?? null,
        path: null,
      })),
      ...artifacts.map(({ name, on }) => ({ what: 'artifact' as const, name, on: on ?? null, path: null })),
    ];
  }
  const { job } = scoped.job.normal;
  const read = (source: string | undefined) => (source === undefined ? null : parseOn(source));
  return (['inputs', 'outputs'] as const).flatMap((side) => [
    ...job[side].capabilities.map(({ capability, on }, index) => ({
      what: 'capability' as const,
      name: capability,
      on: read(on),
      path: ['job', side, 'capabilities', index],
    })),
    ...job[side].artifacts.map(({ name, on }, index) => ({
      what: 'artifact' as const,
      name,
      on: read(on),
      path: ['job', side, 'artifacts', index],
    })),
  ]);
}

function checkSubject(
  ref: ContractRef,
  path: Path | null,
  scenario: NormalScenario,
  scope: PackScope,
  problems: ProblemList,
): void {
  const at = path ?? [];
  const names = (scenario.requires ?? []).map((requirement) => requirement.as);
  if (ref.on !== null) {
    if (ref.on.kind === 'binding' && !names.includes(ref.on.name))
      problems.unknown('requirement', ref.on.name, at, names);
    if ('set' in ref.on) {
      const sets = Object.keys(scenario.host_sets ?? {});
      if (!sets.includes(ref.on.set)) problems.unknown('host set', ref.on.set, at, sets);
    }
    return;
  }
  const of = (ref.what === 'capability' ? scope.capability(ref.name) : scope.artifact(ref.name))?.of ?? null;
  // An undeclared name or type is told elsewhere; what is only implied has the owner of what implies it.
  if (of === null || !scope.has('resource_type', of)) return;
  const fits = subjectsOf(of, scenario, scope);
  if (fits.length === 1) return;
  const args = { what: ref.what, name: ref.name, of, scenario: scenario.id };
  if (fits.length === 0)
    problems.add(
      'ambiguous_subject',
      'doc.no_subject',
      args,
      at,
      `{${ref.what === 'capability' ? 'capability' : 'name'}: ${ref.name}, on: …}, or a requirement that binds a ${of}`,
    );
  else
    problems.add(
      'ambiguous_subject',
      'doc.ambiguous_subject',
      { ...args, fits: fits.join(', ') },
      at,
      `on: one of ${fits.join(', ')}`,
    );
}

/** The own host, else the target, else the bindings of that type; several when the rule cannot decide. */
function subjectsOf(of: string, scenario: NormalScenario, scope: PackScope): readonly string[] {
  const target = scenario.target_resource_type === undefined ? '' : bareName(scenario.target_resource_type);
  const type = bareName(of);
  if (type === HOST_TYPE) return target === HOST_TYPE ? ['host', 'target'] : ['host'];
  if (type === target) return ['target'];
  return (scenario.requires ?? [])
    .filter(({ capability }) => bareName(scope.capability(capability)?.of ?? '') === type)
    .map((requirement) => `binding:${requirement.as}`);
}

function checkSets(scoped: ScopedJob, path: Path, scenario: NormalScenario, problems: ProblemList): void {
  const sets = Object.keys(scenario.host_sets ?? {});
  for (const set of placeSets(scoped))
    if (!sets.includes(set)) problems.unknown(`host set of ${scenario.id}`, set, path, sets);
}

function placeSets(scoped: ScopedJob): readonly string[] {
  if (!scoped.own) return 'set' in scoped.job.place ? [scoped.job.place.set] : [];
  const { target } = scoped.job.normal.job;
  const expression = target === undefined ? null : parseHostExpression(target);
  return expression === null ? [] : setsOf(expression);
}

/** A check that runs on a member of a set needs that set in every scenario that uses its job. */
function checkEvidenceHosts(
  evidence: readonly string[],
  scenario: NormalScenario,
  scope: PackScope,
): readonly Problem[] {
  const sets = Object.keys(scenario.host_sets ?? {});
  return evidence.flatMap((name) => {
    const scoped = scope.check(name);
    if (scoped === null || !scoped.own) return [];
    const { from } = scoped.check.normal.check;
    const expression = from === undefined ? null : parseHostExpression(from);
    const problems = new ProblemList(scoped.check.checked);
    for (const set of expression === null ? [] : setsOf(expression))
      if (!sets.includes(set)) problems.unknown(`host set of ${scenario.id}`, set, ['check', 'from'], sets);
    return problems.problems;
  });
}

/** What a scenario or a stage promises must be given by one of its jobs, a roll-up, or follow from what is given. */
function checkGiven(scenario: NormalScenario, scope: PackScope, problems: ProblemList): void {
  const stages = (scenario.stages ?? []).map(({ jobs = [], rollup = {} }) => [
    ...givenBy(jobs, scope),
    ...Object.keys(rollup).map(bareName),
  ]);
  const all = [...stages.flat(), ...Object.keys(scenario.rollup ?? {}).map(bareName)];
  const check = (capability: string, given: readonly string[], path: Path): void => {
    const implied = scope.capability(capability)?.impliedBy ?? null;
    if (given.includes(bareName(capability)) || (implied !== null && given.includes(bareName(implied))))
      return;
    problems.add(
      'unknown_reference',
      'doc.not_given',
      { capability },
      path,
      `a job that gives it; given here: ${[...new Set(given)].join(', ') || 'nothing'}`,
    );
  };
  for (const [index, { capability }] of (scenario.provides ?? []).entries())
    check(capability, all, ['scenario', 'provides', index]);
  for (const [index, stage] of (scenario.stages ?? []).entries())
    for (const [at, { capability }] of (stage.provides ?? []).entries())
      check(capability, stages[index] ?? [], ['scenario', 'stages', index, 'provides', at]);
}

function givenBy(jobs: readonly string[], scope: PackScope): readonly string[] {
  return jobs.flatMap((name) => {
    const scoped = scope.job(name);
    if (scoped === null) return [];
    const { outputs } = scoped.own ? scoped.job.normal.job : scoped.job.contract;
    return outputs.capabilities.map(({ capability }) => bareName(capability));
  });
}

/** A value that the server makes is a secret of the target (S10). */
function checkGenerated(scenario: NormalScenario, scope: PackScope, problems: ProblemList): void {
  for (const name of Object.keys(scenario.generate ?? {})) {
    const artifact = scope.artifact(name);
    if (artifact === null) continue;
    const path: Path = ['scenario', 'generate', name];
    if (!artifact.sensitive)
      problems.add(
        'invalid_value',
        'doc.generated_not_sensitive',
        { artifact: name },
        path,
        'sensitive: true on the artifact',
        { atKey: true },
      );
    if (
      scenario.target_resource_type !== undefined &&
      bareName(artifact.of) !== bareName(scenario.target_resource_type)
    )
      problems.add(
        'invalid_value',
        'doc.generated_for_other',
        { artifact: name, of: artifact.of },
        path,
        `an artifact of ${scenario.target_resource_type}`,
        { atKey: true },
      );
  }
}
