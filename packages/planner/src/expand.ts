import type { Job, Outcome, Problem } from '@capstan/model';
import { ok, refused, text } from '@capstan/model';
import type { Draft } from './draft.js';
import { draftNode, given } from './draft.js';
import type { Frame } from './frame.js';
import { expectedName } from './nearest.js';
import { freeName, nodeKey, placeJob } from './placement.js';

/** Makes the nodes of the template: every job of every stage, once or once per host of its set. */
export function expandTemplate(frame: Frame): Outcome<readonly Draft[]> {
  const drafts: Draft[] = [];
  const problems: Problem[] = [];
  const taken = new Set<string>();
  let listing = 0;
  for (const [stageIndex, stage] of frame.stages.listed.entries()) {
    for (const reference of stage.jobs) {
      listing += 1;
      const job = frame.catalog.job(reference, frame.scenario.pack);
      if (job === null) {
        problems.push(unknownJob(frame, reference, stage.id));
        continue;
      }
      const placed = placeJob(frame, job);
      if (!placed.ok) {
        problems.push(...placed.problems);
        continue;
      }
      const name = freeName(job.id, placed.value, taken);
      const made: Draft[] = [];
      for (const host of placed.value.hosts) {
        const key = nodeKey(name, host, placed.value);
        taken.add(key);
        const position = { stage: stageIndex, listing, before: 0 };
        const draft = draftNode(frame, { key, stage: stage.id, position, job, host, origin: 'template' });
        if (draft.ok) made.push(draft.value);
        else problems.push(...draft.problems);
      }
      problems.push(...sharedOutputs(job, made));
      drafts.push(...made);
      if (drafts.length > frame.limits.nodes) return refused(tooManyNodes(frame));
    }
  }
  return problems.length > 0 ? refused(...distinct(problems)) : ok(drafts);
}

/** A job over several hosts gives things of its hosts only: one thing given eight times has no answer to "after which one?" (S14). */
function sharedOutputs(job: Job, instances: readonly Draft[]): readonly Problem[] {
  const seen = new Set<string>();
  const shared = new Set(
    instances.flatMap((draft) => given(draft).filter((each) => (seen.has(each) ? true : !seen.add(each)))),
  );
  return [...shared].map((each) => ({
    code: 'ambiguous_subject',
    text: text('plan.given_by_each', {
      job: `${job.pack}:${job.id}`,
      thing: each.slice(each.indexOf(':') + 1).replace(' ', ' of '),
      count: instances.length,
    }),
    expected: 'a job over each(SET) that gives things of its own host only',
  }));
}

/** The same problem met on every host is told once. */
export function distinct(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Map(
    problems.map((problem) => [JSON.stringify([problem.code, problem.text, problem.expected]), problem]),
  );
  return [...seen.values()];
}

function unknownJob(frame: Frame, reference: string, stage: string): Problem {
  const jobs = frame.catalog
    .reach(frame.scenario.pack)
    .flatMap((pack) =>
      pack.jobs.map((job) => (pack.name === frame.scenario.pack ? job.id : `${pack.name}:${job.id}`)),
    );
  return {
    code: 'unknown_reference',
    text: text('plan.unknown_job', { job: reference, stage }),
    expected: expectedName(reference, jobs),
  };
}

function tooManyNodes(frame: Frame): Problem {
  return {
    code: 'planning_budget_exceeded',
    text: text('plan.too_many_nodes', { limit: frame.limits.nodes, scenario: frame.scenario.id }),
    expected: `at most ${frame.limits.nodes} nodes`,
  };
}
