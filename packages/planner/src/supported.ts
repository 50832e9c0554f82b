import type { Check, Job, Problem, Scenario } from '@capstan/model';
import { qualified, text } from '@capstan/model';

const RUNS: readonly string[] = ['script', 'command'];

/** Fields of a scenario that the engine does not execute: a plan that ignored them would promise what nobody does. */
export function unsupportedInScenario(scenario: Scenario): readonly Problem[] {
  return refuse(scenario.notExecuted, `scenario ${scenario.id}`);
}

/** The same for a job that the plan would use. */
export function unsupportedInJob(job: Job): readonly Problem[] {
  const fields = new Set(job.notExecuted);
  if (job.run !== null && !RUNS.includes(job.run.kind)) fields.add(`run.${job.run.kind}`);
  return refuse([...fields], `job ${qualified(job)}`);
}

/** The same for a check that the plan would use. */
export function unsupportedInCheck(check: Check): readonly Problem[] {
  return refuse(check.notExecuted, `check ${qualified(check)}`);
}

/** The refusal of one field. */
export function notSupported(field: string, where: string): Problem {
  return {
    code: 'not_supported',
    text: text('plan.not_supported', { field, where }),
    expected: `${where} without ${field}`,
  };
}

function refuse(fields: readonly string[], where: string): readonly Problem[] {
  return fields.map((field) => notSupported(field, where));
}
