import type { ArtifactType, Candidate, Generator, Job } from '@capstan/model';
import { qualified, text } from '@capstan/model';
import type { Draft } from './draft.js';
import { byPosition, given } from './draft.js';
import type { Frame } from './frame.js';
import type { Need } from './needs.js';
import { thing } from './needs.js';
import type { Standing } from './resolve.js';
import { artifactStanding, factStanding } from './resolve.js';
import type { UseTimes } from './use-times.js';

/** The nodes of the plan so far, by what they give. */
export class PlanSoFar {
  private readonly givers = new Map<string, Draft[]>();
  private readonly all: Draft[] = [];

  constructor(drafts: readonly Draft[]) {
    for (const draft of drafts) this.add(draft);
  }

  /** Adds a node. */
  add(draft: Draft): void {
    this.all.push(draft);
    for (const each of given(draft)) {
      const known = this.givers.get(each);
      if (known === undefined) this.givers.set(each, [draft]);
      else known.push(draft);
    }
  }

  /** Every node, in the order of the listing. */
  drafts(): readonly Draft[] {
    return [...this.all].sort(byPosition);
  }

  /** The nodes that give something, in the order of the listing. */
  giversOf(each: string): readonly Draft[] {
    return [...(this.givers.get(each) ?? [])].sort(byPosition);
  }
}

/** The node that provides something for a consumer, and the ones that cannot. */
export interface Pick {
  readonly chosen: Draft | null;
  readonly refused: readonly Candidate[];
}

/**
 * Chooses among the nodes that give a thing. A node behind one of the consumer's barriers comes too late. Of the others
 * the nearest one listed before the consumer provides; if all are listed later, the first of them: the contract then
 * moves it ahead. Listing decides between several givers only, never between a giver and none (S21).
 */
export function pickProvider(
  frame: Frame,
  plan: PlanSoFar,
  consumer: Draft,
  wanted: string,
  without: ReadonlySet<string> = new Set(),
): Pick {
  const refused: Candidate[] = [];
  let before: Draft | null = null;
  let after: Draft | null = null;
  for (const draft of plan.giversOf(wanted)) {
    if (draft.key === consumer.key || without.has(draft.key)) continue;
    if (frame.stages.isAfter(draft.stage, consumer.stage)) {
      refused.push({
        provider: draft.key,
        taken: false,
        reason: text('plan.stands_later', { stage: draft.stage, consumer: consumer.stage }),
      });
    } else if (byPosition(draft, consumer) < 0) before = draft;
    else after ??= draft;
  }
  const chosen = before ?? after;
  const others = plan
    .giversOf(wanted)
    .filter(
      (draft) =>
        draft !== chosen &&
        draft.key !== consumer.key &&
        !refused.some((each) => each.provider === draft.key),
    );
  if (chosen !== null) {
    refused.push(
      ...others.map((draft) => ({
        provider: draft.key,
        taken: false,
        reason: text('plan.nearer_provider', { provider: chosen.key }),
      })),
    );
  }
  return { chosen, refused };
}

/** What the world has for a need: its fact, or its stored artifact at the estimated time of use. */
export function standingOf(
  frame: Frame,
  times: UseTimes,
  consumer: Draft,
  need: Need,
  subject: string,
): Standing<unknown> {
  if (need.kind === 'capability') return factStanding(frame, need.name, subject);
  const neededAt = times.at(consumer.position);
  return artifactStanding(frame, {
    owner: subject,
    name: need.name,
    minRemainingMs: need.minRemainingMs,
    neededAt,
  });
}

/** The generator with which the scenario makes an artifact, if it does. */
export function generatorOf(frame: Frame, type: ArtifactType): Generator | null {
  const entry = frame.scenario.generate.find(
    (each) => frame.catalog.artifact(each.artifact, frame.scenario.pack) === type,
  );
  return entry?.generator ?? null;
}

/** How a job is named among candidates: bare if it is of the scenario's own pack. */
export function jobName(frame: Frame, job: Job): string {
  return job.pack === frame.scenario.pack ? job.id : qualified(job);
}

/** The needs of a node's run and of its checks; what the node itself gives is there for its checks. */
export function everyNeed(draft: Draft): readonly Need[] {
  const own = new Set(given(draft));
  const ofChecks = draft.checks
    .flatMap((check) => check.inputs)
    .filter((input) => !own.has(thing('artifact', input.name, input.subjects[0])));
  return [...draft.needs, ...ofChecks];
}
