import { findCycle } from './cycle.js';
import { parseGenerator } from './generator.js';
import { parseHostExpression, setsOf } from './host-expression.js';
import { bareName } from './name-parts.js';
import type { NormalCapability, NormalScenario, NormalStage } from './normal-documents.js';
import type { ProblemList } from './problem-list.js';
import { reportSchema } from './schema-report.js';
import type { Path } from './source-document.js';

/** What is wrong with a scenario by itself: its names, its order, its generators. */
export function checkScenarioRules(scenario: NormalScenario, problems: ProblemList): void {
  reportSchema(scenario.params, ['scenario', 'params'], problems);
  checkStages(scenario.stages ?? [], problems);
  checkRequirements(scenario, problems);
  checkSubjects(scenario, problems);
  for (const [artifact, made] of Object.entries(scenario.generate ?? {})) {
    const parts =
      typeof made === 'string'
        ? [[[], made] as const]
        : Object.entries(made).map(([key, source]) => [[key], source] as const);
    for (const [rest, source] of parts) {
      if (parseGenerator(source) !== null) continue;
      const path: Path = ['scenario', 'generate', artifact, ...rest];
      problems.add(
        'invalid_value',
        'doc.invalid_value',
        { key: path.join('.'), value: source },
        path,
        'password(32) or token(20), from 8 to 256 characters',
      );
    }
  }
}

/** Stage ids and job ids share one namespace, and `after` has no cycle (S21). */
function checkStages(stages: readonly NormalStage[], problems: ProblemList): void {
  const idPath = (index: number): Path => ['scenario', 'stages', index, 'id'];
  const ids = stages.map(({ id }) => id);
  const known = new Set(ids);
  problems.noneTwice('stage', ids, idPath);
  for (const [index, stage] of stages.entries()) {
    for (const [at, after] of (stage.after ?? []).entries())
      if (!known.has(after))
        problems.unknown('stage', after, ['scenario', 'stages', index, 'after', at], ids);
    for (const [at, job] of (stage.jobs ?? []).entries()) {
      const same = known.has(bareName(job)) ? ids.indexOf(bareName(job)) : -1;
      if (same !== -1)
        problems.add(
          'duplicate_id',
          'doc.stage_named_like_job',
          { name: bareName(job) },
          ['scenario', 'stages', index, 'jobs', at],
          'another id for the stage',
          { alsoAt: [idPath(same)] },
        );
    }
  }
  const cycle = findCycle(new Map(stages.map((stage) => [stage.id, stage.after ?? []])));
  if (cycle !== null) {
    const index = ids.indexOf(cycle[0] ?? '');
    problems.add(
      'cycle',
      'doc.cycle',
      { path: cycle.join(' → ') },
      ['scenario', 'stages', index, 'after'],
      'an order without a ring',
    );
  }
}

function checkRequirements(scenario: NormalScenario, problems: ProblemList): void {
  const requires = scenario.requires ?? [];
  const names = requires.map((requirement) => requirement.as);
  problems.noneTwice('requirement', names, (index) => ['scenario', 'requires', index, 'as']);
  for (const [index, { same_as: other }] of requires.entries())
    if (other !== undefined && !names.includes(other))
      problems.unknown('requirement', other, ['scenario', 'requires', index, 'same_as'], names);
}

/** Every `on:`, lock and membership names a requirement or a host set that the scenario has. */
function checkSubjects(scenario: NormalScenario, problems: ProblemList): void {
  const sets = Object.keys(scenario.host_sets ?? {});
  const names = (scenario.requires ?? []).map((requirement) => requirement.as);
  const check = (source: string | undefined, path: Path): void => {
    const expression = source === undefined ? null : parseHostExpression(source);
    if (expression === null) return;
    if (expression.kind === 'binding' && !names.includes(expression.name))
      problems.unknown('requirement', expression.name, path, names);
    for (const set of setsOf(expression))
      if (!sets.includes(set)) problems.unknown('host set', set, path, sets);
  };
  const each = (refs: readonly NormalCapability[] | undefined, base: Path): void => {
    for (const [index, { on }] of (refs ?? []).entries()) check(on, [...base, index, 'on']);
  };
  each(scenario.requires, ['scenario', 'requires']);
  each(scenario.provides, ['scenario', 'provides']);
  for (const [index, stage] of (scenario.stages ?? []).entries())
    each(stage.provides, ['scenario', 'stages', index, 'provides']);
  for (const [index, lock] of (scenario.locks ?? []).entries())
    check(lock.resource, ['scenario', 'locks', index, 'resource']);
  for (const [member, change] of Object.entries(scenario.membership ?? {}))
    for (const key of ['add', 'remove'] as const) {
      const set = change[key];
      if (set !== undefined && !sets.includes(set))
        problems.unknown('host set', set, ['scenario', 'membership', member, key], sets);
    }
  checkEditable(scenario, problems);
}

function checkEditable(scenario: NormalScenario, problems: ProblemList): void {
  const { stages, locked } = (scenario.editable ?? {}) as {
    stages?: 'all' | readonly string[];
    locked?: readonly string[];
  };
  const ids = (scenario.stages ?? []).map(({ id }) => id);
  for (const [key, names] of [
    ['stages', stages],
    ['locked', locked],
  ] as const) {
    if (names === undefined || names === 'all' || scenario.stages === undefined) continue;
    for (const [index, name] of names.entries())
      if (!ids.includes(name)) problems.unknown('stage', name, ['scenario', 'editable', key, index], ids);
  }
}
