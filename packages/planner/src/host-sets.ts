import type { HostSet, HostView, Intent, Outcome, Problem, Scenario } from '@capstan/model';
import { hostKey, hostName, ok, refused, text } from '@capstan/model';
import { isList } from './environment-choice.js';
import type { Known } from './frame.js';
import { expectedName } from './nearest.js';
import type { ValueSources } from './values.js';
import { evaluate } from './values.js';

type Sets = ReadonlyMap<string, readonly HostView[]>;

/**
 * The members of every host set. The intent's `hosts:` decide, or the set's own expression; the planner never picks
 * machines by itself: that would need a choice gate, so it is refused with the hosts that would fit (S18).
 */
export function fillHostSets(scenario: Scenario, sources: ValueSources, known: Known): Outcome<Sets> {
  const open = scenario.hostSets.filter((set) => set.hosts === undefined && set.members === undefined);
  const named = hostsBySet(sources.intent, open);
  if (!named.ok) return named;
  const sets = new Map<string, readonly HostView[]>();
  const problems: Problem[] = [];
  for (const set of scenario.hostSets) {
    const filled = fillSet(set, named.value.get(set.name) ?? [], sources, known);
    if (filled.ok) sets.set(set.name, filled.value);
    else problems.push(...filled.problems);
  }
  return problems.length > 0 ? refused(...problems) : ok(sets);
}

function hostsBySet(
  intent: Intent,
  open: readonly HostSet[],
): Outcome<ReadonlyMap<string, readonly string[]>> {
  const { hosts } = intent;
  if (hosts === null) return ok(new Map());
  const names = open.map((set) => set.name);
  if (isList(hosts)) {
    if (hosts.length === 0) return ok(new Map());
    const [only, another] = names;
    if (only === undefined)
      return refused({
        code: 'invalid_parameter',
        text: text('plan.takes_no_hosts'),
        expected: 'an intent without hosts',
      });
    if (another === undefined) return ok(new Map([[only, hosts]]));
    return refused({
      code: 'invalid_parameter',
      text: text('plan.hosts_need_sets', { sets: names.join(', ') }),
      expected: `hosts: {${names.map((name) => `${name}: […]`).join(', ')}}`,
    });
  }
  const unknown = Object.keys(hosts).filter((name) => !names.includes(name));
  if (unknown.length === 0) return ok(new Map(Object.entries(hosts)));
  return refused(
    ...unknown.map((name) => ({
      code: 'invalid_parameter' as const,
      text: text('plan.unknown_host_set', { set: name }),
      expected: expectedName(name, names),
    })),
  );
}

function fillSet(
  set: HostSet,
  named: readonly string[],
  sources: ValueSources,
  known: Known,
): Outcome<readonly HostView[]> {
  const unbuilt = (['members', 'where', 'spread'] as const).filter((field) => set[field] !== undefined);
  if (unbuilt.length > 0) {
    return refused(
      ...unbuilt.map((field) => ({
        code: 'not_supported' as const,
        text: text('plan.not_supported', { field: `host_sets.${set.name}.${field}`, where: 'the scenario' }),
        expected: `a host set filled by hosts: in the intent`,
      })),
    );
  }
  const wanted = wantedCount(set, sources);
  if (!wanted.ok) return wanted;
  const names = set.hosts === undefined ? ok(named) : computedNames(set, set.hosts, sources);
  if (!names.ok) return names;
  if (names.value.length === 0 && set.hosts === undefined && wanted.value !== 0)
    return refused(choiceOf(set, wanted.value, sources, known));
  const hosts = findHosts(set, names.value, sources, known);
  if (hosts.ok && wanted.value !== null && hosts.value.length !== wanted.value) {
    return refused({
      code: 'invalid_parameter',
      text: text('plan.wrong_host_count', { set: set.name, wanted: wanted.value, found: hosts.value.length }),
      expected: `${wanted.value} hosts`,
    });
  }
  return hosts;
}

function wantedCount(set: HostSet, sources: ValueSources): Outcome<number | null> {
  if (set.count === undefined) return ok(null);
  const result = evaluate(sources, set.count);
  if (result.ok && typeof result.value === 'number' && Number.isInteger(result.value) && result.value >= 0)
    return ok(result.value);
  const found = result.ok ? JSON.stringify(result.value) : result.error;
  return refused({
    code: 'invalid_parameter',
    text: text('plan.invalid_count', { set: set.name, source: set.count, found }),
    expected: 'a whole number',
  });
}

function computedNames(set: HostSet, source: string, sources: ValueSources): Outcome<readonly string[]> {
  const result = evaluate(sources, source);
  if (result.ok && Array.isArray(result.value) && result.value.every((name) => typeof name === 'string'))
    return ok(result.value as string[]);
  const found = result.ok ? JSON.stringify(result.value) : result.error;
  return refused({
    code: 'invalid_parameter',
    text: text('plan.invalid_hosts', { set: set.name, source, found }),
    expected: 'a list of host names',
  });
}

function findHosts(
  set: HostSet,
  names: readonly string[],
  sources: ValueSources,
  known: Known,
): Outcome<readonly HostView[]> {
  const problems: Problem[] = [];
  const hosts: HostView[] = [];
  const all = [...known.hosts.values()];
  for (const name of names) {
    const host = known.hosts.get(hostKey(name));
    if (host === undefined) {
      const path = set.hosts === undefined ? 'hosts' : `host_sets.${set.name}`;
      problems.push({
        code: 'unknown_host',
        text: text('plan.unknown_host', { host: name, path }),
        expected: expectedName(
          hostName(name),
          all.map((each) => each.name),
        ),
      });
    } else if (host.environment !== sources.environment.name) {
      problems.push({
        code: 'invalid_parameter',
        text: text('plan.host_elsewhere', {
          host: name,
          environment: host.environment,
          wanted: sources.environment.name,
        }),
        expected: `a host of environment ${sources.environment.name}`,
      });
    } else if (hosts.includes(host)) {
      problems.push({
        code: 'invalid_parameter',
        text: text('plan.host_twice', { host: name, set: set.name }),
        expected: 'each host once',
      });
    } else hosts.push(host);
  }
  return problems.length > 0 ? refused(...problems) : ok(hosts);
}

function choiceOf(set: HostSet, wanted: number | null, sources: ValueSources, known: Known): Problem {
  const environment = sources.environment.name;
  const fitting = [...known.hosts.values()]
    .filter((host) => host.environment === environment)
    .map((host) => host.key);
  if (fitting.length < (wanted ?? 1)) {
    return {
      code: 'unmet_requirement',
      text: text('plan.too_few_hosts', {
        set: set.name,
        environment,
        wanted: wanted ?? 1,
        found: fitting.length,
      }),
      expected: 'more enrolled hosts in that environment',
    };
  }
  return {
    code: 'needs_choice',
    text: text('plan.choose_hosts', {
      set: set.name,
      wanted: wanted ?? 'any number',
      options: fitting.join(', '),
    }),
    expected: `hosts: ${wanted ?? 'some'} of ${fitting.slice(0, 12).join(', ')}${fitting.length > 12 ? ', …' : ''}`,
  };
}
