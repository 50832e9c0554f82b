import { formatHostExpression, jobPlace, parseHostExpression, parseOn } from './host-expression.js';
import type { NormalCheck, NormalJob, NormalScenario } from './normal-documents.js';

/*
 * Fields that documents may hold and nothing executes yet. The planner refuses a plan that would need one, so that no
 * plan promises what nobody does. What is empty or only words (titles, risk, estimates, editable) is not listed.
 */

/** Fields of a job that are accepted but not executed. */
export function jobNotExecuted(job: NormalJob): readonly string[] {
  return present({
    target: job.target !== undefined && jobPlace(job.target).kind === 'other',
    when: job.when,
    undo: job.undo,
    withdraws: job.withdraws,
    proves_absent: job.proves_absent,
    parallel: job.parallel,
    permissions: job.permissions,
    'run.http': job.run?.http,
    'run.manual': job.run?.manual,
    'run.reboot': job.run?.reboot,
  });
}

/** Fields of a check that are accepted but not executed. */
export function checkNotExecuted(check: NormalCheck): readonly string[] {
  return present({
    from: check.from !== undefined && !isPlainFrom(check.from),
    http: check.http,
    tcp: check.tcp,
  });
}

/** `host` and `first(SET)` are one host; the rest needs facts of the running operation. */
function isPlainFrom(from: string): boolean {
  const on = parseOn(from);
  const expression = parseHostExpression(from);
  return on !== null && expression !== null && formatHostExpression(expression) === from.replace(/\s+/g, '');
}

/** Fields of a scenario that are accepted but not executed. Requirements and host sets are judged by the planner. */
export function scenarioNotExecuted(scenario: NormalScenario): readonly string[] {
  const stages = scenario.stages ?? [];
  return present({
    exports: scenario.exports,
    membership: scenario.membership,
    locks: scenario.locks,
    may_insert: scenario.may_insert,
    gates: scenario.gates,
    permissions: scenario.permissions,
    rollup: scenario.rollup,
    uninstall: scenario.uninstall,
    ...Object.fromEntries(
      Object.entries(scenario.generate ?? {}).map(([name, made]) => [
        `generate.${name}`,
        typeof made === 'string' ? undefined : made,
      ]),
    ),
    'stages.rollup': stages.find(({ rollup }) => rollup !== undefined),
    'stages.checks': stages.find(({ checks }) => checks !== undefined),
    'stages.gates': stages.find(({ gates }) => gates !== undefined),
  });
}

function present(fields: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name]) => name);
}
