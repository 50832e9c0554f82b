import type { Candidate, Problem } from '@capstan/model';
import { renderText, text } from '@capstan/model';
import type { Draft } from './draft.js';
import type { Frame } from './frame.js';
import type { Need } from './needs.js';
import { thing } from './needs.js';
import type { PlanSoFar } from './providers.js';
import { pickProvider, standingOf } from './providers.js';
import { impliedCandidate } from './resolve.js';
import type { UseTimes } from './use-times.js';

interface Searched {
  readonly frame: Frame;
  readonly plan: PlanSoFar;
  readonly times: UseTimes;
}

/** The refusal of a need that nothing gives: it names everything that was looked at, and why each was refused. */
export function unmetProblem(
  searched: Searched,
  need: Need,
  consumer: Draft,
  refused: readonly Candidate[],
): Problem {
  const { frame, plan, times } = searched;
  const words = wordsOf(need, consumer);
  const tried = need.subjects.flatMap((each) => {
    const wanted = thing(need.kind, need.name, each);
    const standing = standingOf(frame, times, consumer, need, each);
    const late = pickProvider(frame, plan, consumer, wanted).refused;
    return [{ provider: each, taken: false, reason: standing.reason }, ...late];
  });
  const type = need.kind === 'capability' ? frame.catalog.capability(need.name, consumer.job.pack) : null;
  const implied = type === null ? null : impliedCandidate(type);
  const candidates = [...tried, ...refused, ...(implied === null ? [] : [implied])];
  return {
    code: 'unmet_requirement',
    text: text('plan.unmet', {
      ...words,
      tried: candidates.map((each) => `${each.provider}: ${renderText(each.reason)}`).join('; '),
    }),
    expected:
      need.kind === 'capability'
        ? `${need.name} of ${words.subject} proved, or an on_demand job that gives it`
        : `${need.name} of ${words.subject} stored, generated or given by a job`,
  };
}

/** The refusal of a need that several jobs could give: a person chooses. */
export function choiceProblem(need: Need, consumer: Draft, jobs: readonly string[]): Problem {
  const options = jobs.join(', ');
  return {
    code: 'needs_choice',
    text: text('plan.several_jobs', { ...wordsOf(need, consumer), options }),
    expected: `constraints.providers."${need.name}": one of ${options}`,
  };
}

/** The refusal of a plan that is too much work, with the requirement at which the budget ended (S26). */
export function budgetProblem(
  code: 'plan.too_many_expansions' | 'plan.too_many_inserted',
  limit: number,
  need: Need,
  consumer: Draft,
): Problem {
  return {
    code: 'planning_budget_exceeded',
    text: text(code, { limit, ...wordsOf(need, consumer) }),
    expected: `a plan within ${limit}`,
  };
}

function wordsOf(need: Need, consumer: Draft) {
  return { requirement: `${consumer.key}/${need.name}`, name: need.name, subject: need.subjects.join(', ') };
}
