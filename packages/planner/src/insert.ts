import type { Candidate, Job, Outcome, Problem, Text } from '@capstan/model';
import { ok, qualified, refused, text } from '@capstan/model';
import type { Draft } from './draft.js';
import { draftNode, given } from './draft.js';
import { distinct } from './expand.js';
import type { Frame } from './frame.js';
import { notInsertable } from './insertable.js';
import type { Need } from './needs.js';
import { thing } from './needs.js';
import { chosenProvider } from './person-choice.js';
import { freeName, nodeKey, placeInserted } from './placement.js';
import { everyNeed, generatorOf, jobName, PlanSoFar, pickProvider, standingOf } from './providers.js';
import { budgetProblem, choiceProblem, unmetProblem } from './unmet.js';
import type { UseTimes } from './use-times.js';

/** Why a job was inserted for a thing, and what else was looked at. */
export interface InsertDecision {
  readonly origin: 'planner' | 'person';
  readonly refused: readonly Candidate[];
}

export interface Provided {
  readonly plan: PlanSoFar;
  readonly decisions: ReadonlyMap<string, InsertDecision>;
}

/**
 * Backward search (S3): whatever a node needs and neither the plan nor the world has, an `on_demand` job must give for
 * the same subject. It never inserts what destroys or risks much; unknown is not absent, so a stale fact brings its
 * re-check by the same way.
 */
export function insertProviders(frame: Frame, drafts: readonly Draft[], times: UseTimes): Outcome<Provided> {
  const search = new Search(frame, new PlanSoFar(drafts), times);
  // A need with one possible provider first: that provider may settle what would otherwise be a choice.
  for (;;) {
    const round = search.round();
    if (search.exceeded !== null) return refused(search.exceeded);
    if (!round.progressed)
      return round.problems.length > 0
        ? refused(...distinct(round.problems))
        : ok({ plan: search.plan, decisions: search.decisions });
  }
}

type Found =
  | {
      readonly kind: 'found';
      readonly drafts: readonly Draft[];
      readonly refused: readonly Candidate[];
      readonly origin: 'planner' | 'person';
    }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'none'; readonly refused: readonly Candidate[]; readonly metCycle: boolean };

type Judged =
  | { readonly kind: 'fits'; readonly drafts: readonly Draft[] }
  | { readonly kind: 'refused'; readonly reason: Text; readonly metCycle: boolean };

/** How the search came to a need: the consumers behind it, what is already being looked for, and what would be inserted on the way. */
interface Trail {
  readonly consumers: ReadonlySet<string>;
  readonly things: readonly string[];
  readonly tentative: readonly Draft[];
}

class Search {
  readonly decisions = new Map<string, InsertDecision>();
  exceeded: Problem | null = null;
  private expansions = 0;
  private memo = new Map<string, Found>();
  private readonly insertedJobs = new Set<string>();
  private readonly taken: Set<string>;

  constructor(
    readonly frame: Frame,
    readonly plan: PlanSoFar,
    readonly times: UseTimes,
  ) {
    this.taken = new Set(plan.drafts().map((draft) => draft.key));
  }

  round(): { readonly progressed: boolean; readonly problems: readonly Problem[] } {
    this.memo = new Map();
    let progressed = false;
    const problems: Problem[] = [];
    for (const consumer of this.plan.drafts()) {
      const trail: Trail = { consumers: new Set([consumer.key]), things: [], tentative: [] };
      for (const need of everyNeed(consumer)) {
        if (this.satisfied(need, consumer, trail)) continue;
        const result = this.findFor(need, consumer, trail, 0);
        if (this.exceeded !== null) return { progressed: false, problems: [] };
        if (result.kind === 'found') {
          this.commit(result, need, consumer);
          progressed = true;
        } else if (result.kind === 'choice') problems.push(choiceProblem(need, consumer, result.options));
        else problems.push(unmetProblem(this, need, consumer, result.refused));
      }
    }
    return { progressed, problems };
  }

  private satisfied(need: Need, consumer: Draft, trail: Trail): boolean {
    if (need.kind === 'artifact' && (need.optional || generatorOf(this.frame, need.type) !== null))
      return true;
    return need.subjects.some((subject) => {
      const wanted = thing(need.kind, need.name, subject);
      if (trail.tentative.some((draft) => given(draft).includes(wanted))) return true;
      if (pickProvider(this.frame, this.plan, consumer, wanted, trail.consumers).chosen !== null) return true;
      return standingOf(this.frame, this.times, consumer, need, subject).holds;
    });
  }

  /** The first subject for which something can be inserted; there is more than one only for `any(SET)`. */
  private findFor(need: Need, consumer: Draft, trail: Trail, depth: number): Found {
    let last: Found = { kind: 'none', refused: [], metCycle: false };
    for (const subject of need.subjects) {
      last = this.find(need, subject, consumer, trail, depth);
      if (last.kind === 'found') return last;
    }
    return last;
  }

  private find(need: Need, subject: string, consumer: Draft, trail: Trail, depth: number): Found {
    const wanted = thing(need.kind, need.name, subject);
    const memoKey = `${wanted} ${consumer.stage} ${depth}`;
    const known = this.memo.get(memoKey);
    if (known !== undefined && trail.tentative.length === 0) return known;
    this.expansions += 1;
    if (this.expansions > this.frame.limits.expansions) {
      this.exceeded ??= budgetProblem(
        'plan.too_many_expansions',
        this.frame.limits.expansions,
        need,
        consumer,
      );
    }
    if (this.exceeded !== null) return { kind: 'none', refused: [], metCycle: false };
    if (trail.things.includes(wanted)) {
      const path = [...trail.things.slice(trail.things.indexOf(wanted)), wanted].map(spoken).join(' → ');
      return {
        kind: 'none',
        refused: [{ provider: subject, taken: false, reason: text('plan.circular_need', { path }) }],
        metCycle: true,
      };
    }
    const result = this.tryJobs(
      need,
      subject,
      consumer,
      { ...trail, things: [...trail.things, wanted] },
      depth,
    );
    // A failure that met a cycle depends on the way here, so it says nothing about other ways (S26).
    if (trail.tentative.length === 0 && !(result.kind === 'none' && result.metCycle))
      this.memo.set(memoKey, result);
    return result;
  }

  private tryJobs(need: Need, subject: string, consumer: Draft, trail: Trail, depth: number): Found {
    const refusedOnes: Candidate[] = [];
    const fitting: { readonly job: Job; readonly drafts: readonly Draft[] }[] = [];
    let metCycle = false;
    for (const job of this.frame.catalog.jobsGiving(need.kind, need.name)) {
      const judged = this.judgeJob(job, need, subject, consumer, trail, depth);
      if (judged.kind === 'fits') fitting.push({ job, drafts: judged.drafts });
      else {
        metCycle ||= judged.metCycle;
        refusedOnes.push({ provider: jobName(this.frame, job), taken: false, reason: judged.reason });
      }
    }
    const wish = chosenProvider(this.frame.intent, need.name);
    const chosen =
      wish === null ? fitting : fitting.filter(({ job }) => [job.id, qualified(job)].includes(wish));
    const [first, second] = chosen;
    if (first === undefined) return { kind: 'none', refused: refusedOnes, metCycle };
    if (second !== undefined) return { kind: 'choice', options: chosen.map(({ job }) => qualified(job)) };
    const passed = fitting
      .filter((each) => each !== first)
      .map(({ job }) => ({
        provider: jobName(this.frame, job),
        taken: false,
        reason: text('plan.not_chosen'),
      }));
    return {
      kind: 'found',
      drafts: first.drafts,
      refused: [...passed, ...refusedOnes],
      origin: passed.length > 0 ? 'person' : 'planner',
    };
  }

  private judgeJob(
    job: Job,
    need: Need,
    subject: string,
    consumer: Draft,
    trail: Trail,
    depth: number,
  ): Judged {
    const no = (reason: Text, metCycle = false): Judged => ({ kind: 'refused', reason, metCycle });
    const barred = notInsertable(this.frame, job);
    if (barred !== null) return no(barred);
    if (depth >= this.frame.limits.insertDepth)
      return no(text('plan.too_deep', { limit: this.frame.limits.insertDepth }));
    const placed = placeInserted(this.frame, job, subject);
    if (!placed.ok) return no((placed.problems[0] as Problem).text);
    const { host, keyed } = placed.value;
    const key = nodeKey(job.id, host, { keyed });
    const position = { ...consumer.position, before: consumer.position.before + 1 };
    const drafted = draftNode(this.frame, {
      key,
      stage: consumer.stage,
      position,
      job,
      host,
      origin: 'planner',
    });
    if (!drafted.ok) return no((drafted.problems[0] as Problem).text);
    const draft = drafted.value;
    if (!given(draft).includes(thing(need.kind, need.name, subject)))
      return no(text('plan.other_subject', { subject }));

    const drafts: Draft[] = [];
    for (const own of everyNeed(draft)) {
      const inner: Trail = {
        ...trail,
        consumers: new Set([...trail.consumers, key]),
        tentative: [...trail.tentative, ...drafts],
      };
      if (this.satisfied(own, draft, inner)) continue;
      const found = this.findFor(own, draft, inner, depth + 1);
      if (found.kind !== 'found') {
        const reason = text('plan.provider_unmet', { needs: own.name, subject: own.subjects.join(', ') });
        return no(reason, found.kind === 'none' && found.metCycle);
      }
      drafts.push(...found.drafts);
    }
    return { kind: 'fits', drafts: [...drafts, draft] };
  }

  private commit(found: Extract<Found, { kind: 'found' }>, need: Need, consumer: Draft): void {
    for (const draft of found.drafts) {
      const placed = { hosts: [draft.host], keyed: draft.key.endsWith(']') };
      const key = nodeKey(freeName(draft.job.id, placed, this.taken), draft.host, placed);
      this.taken.add(key);
      this.plan.add({ ...draft, key });
      this.insertedJobs.add(qualified(draft.job));
    }
    if (this.insertedJobs.size > this.frame.limits.insertedJobs) {
      this.exceeded ??= budgetProblem(
        'plan.too_many_inserted',
        this.frame.limits.insertedJobs,
        need,
        consumer,
      );
    }
    for (const subject of need.subjects) {
      this.decisions.set(thing(need.kind, need.name, subject), {
        origin: found.origin,
        refused: found.refused,
      });
    }
  }
}

function spoken(each: string): string {
  return each.slice(each.indexOf(':') + 1).replace(' ', ' of ');
}
