import type {
  ArtifactRecord,
  Binding,
  Candidate,
  Outcome,
  PlannedArtifact,
  PlannedCapability,
  PlannedCheck,
  Problem,
  Text,
} from '@capstan/model';
import { ok, qualified, refused, text } from '@capstan/model';
import type { Draft } from './draft.js';
import { given } from './draft.js';
import type { Frame } from './frame.js';
import type { InsertDecision } from './insert.js';
import { notInsertable } from './insertable.js';
import type { ArtifactNeed, CapabilityNeed, Need } from './needs.js';
import { thing } from './needs.js';
import type { PlanSoFar } from './providers.js';
import { generatorOf, jobName, pickProvider, standingOf } from './providers.js';
import { storedName } from './resolve.js';
import type { UseTimes } from './use-times.js';

/** A draft with its providers chosen and the edges that follow from them. */
export interface Linked {
  readonly key: string;
  readonly stage: string;
  readonly draft: Draft;
  /** Keys of the nodes that it waits for; barriers and re-proofs add to it. */
  readonly edges: Set<string>;
  readonly needs: readonly PlannedCapability[];
  readonly inputs: readonly PlannedArtifact[];
  readonly checks: readonly PlannedCheck[];
  readonly bindings: readonly Binding[];
}

export interface Linking {
  readonly frame: Frame;
  readonly plan: PlanSoFar;
  readonly times: UseTimes;
  readonly decisions: ReadonlyMap<string, InsertDecision>;
}

/** Links every node to what gives it what it needs. */
export function linkByContract(linking: Linking): Outcome<readonly Linked[]> {
  const problems: Problem[] = [];
  const linked: Linked[] = [];
  for (const draft of linking.plan.drafts()) {
    const result = linkNode(linking, draft);
    if (result.ok) linked.push(result.value);
    else problems.push(...result.problems);
  }
  return problems.length > 0 ? refused(...problems) : ok(linked);
}

/** Links one node: its capabilities, its inputs and the inputs of its checks. */
export function linkNode(linking: Linking, draft: Draft): Outcome<Linked> {
  const edges = new Set<string>();
  const bindings = new Map<string, Binding>();
  const problems: Problem[] = [];
  const own = new Set(given(draft));

  const decide = (need: Need, requirement: string): Chosen | null => {
    const chosen = choose(linking, draft, need);
    if (chosen === null) {
      problems.push({
        code: 'unmet_requirement',
        text: text('plan.unmet', {
          requirement,
          name: need.name,
          subject: need.subjects.join(', '),
          tried: '',
        }),
        expected: need.name,
      });
      return null;
    }
    if (chosen.node !== null) edges.add(chosen.node);
    if (!bindings.has(requirement)) bindings.set(requirement, { requirement, ...chosen.binding });
    return chosen;
  };
  const artifact = (need: ArtifactNeed, requirement: string, selfGiven: boolean): PlannedArtifact[] => {
    const fixed = {
      name: need.name,
      owner: need.subjects[0],
      optional: need.optional,
      sensitive: need.type.sensitive,
      identity: need.type.identity,
    };
    if (selfGiven && own.has(thing('artifact', need.name, need.subjects[0])))
      return [{ ...fixed, provider: draft.key }];
    if (need.optional && choose(linking, draft, need) === null) return [];
    const chosen = decide(need, requirement);
    return chosen === null ? [] : [{ ...fixed, provider: chosen.provider }];
  };

  const capabilities = draft.needs.filter((need): need is CapabilityNeed => need.kind === 'capability');
  const artifacts = distinctArtifacts(
    draft.needs.filter((need): need is ArtifactNeed => need.kind === 'artifact'),
  );
  const needs = capabilities.flatMap((need): PlannedCapability[] => {
    const chosen = decide(need, requirementName(draft, need, capabilities));
    return chosen === null
      ? []
      : [{ capability: need.name, subject: chosen.subject, provider: chosen.provider }];
  });
  const inputs = artifacts.flatMap((need) => artifact(need, requirementName(draft, need, artifacts), false));
  const checks = draft.checks.map((bound): PlannedCheck => {
    const read = distinctArtifacts(bound.inputs);
    return {
      check: qualified(bound.check),
      subject: bound.subject,
      from: bound.from,
      params: bound.params,
      inputs: read.flatMap((need) => artifact(need, requirementName(draft, need, read), true)),
    };
  });
  if (problems.length > 0) return refused(...problems);
  return ok({
    key: draft.key,
    stage: draft.stage,
    draft,
    edges,
    needs,
    inputs,
    checks,
    bindings: [...bindings.values()],
  });
}

/** `<node>/<name>`; with several subjects of one name also whose. */
function requirementName(draft: Draft, need: Need, among: readonly Need[]): string {
  const several = among.filter((other) => other.name === need.name).length > 1;
  return `${draft.key}/${need.name}${several ? `@${need.subjects.join(',')}` : ''}`;
}

function distinctArtifacts(needs: readonly ArtifactNeed[]): readonly ArtifactNeed[] {
  const byOwner = new Map<string, ArtifactNeed>();
  for (const need of needs) {
    const key = thing('artifact', need.name, need.subjects[0]);
    const known = byOwner.get(key);
    // Of two references to one artifact the stricter one counts.
    byOwner.set(
      key,
      known === undefined
        ? need
        : {
            ...known,
            optional: known.optional && need.optional,
            minRemainingMs: Math.max(known.minRemainingMs, need.minRemainingMs),
          },
    );
  }
  return [...byOwner.values()];
}

interface Chosen {
  readonly subject: string;
  /** As it stands in the node: a node key, `fact`, `stored` or `generated`. */
  readonly provider: string;
  readonly node: string | null;
  readonly binding: Omit<Binding, 'requirement'>;
}

/** A node of the plan wins over what the world has: where it stands upstream it proves the same thing again, later. */
function choose(linking: Linking, consumer: Draft, need: Need): Chosen | null {
  const { frame, plan, times } = linking;
  for (const subject of need.subjects) {
    const { chosen, refused: passed } = pickProvider(
      frame,
      plan,
      consumer,
      thing(need.kind, need.name, subject),
    );
    if (chosen !== null) return fromNode(linking, consumer, need, subject, chosen, passed);
  }
  for (const subject of need.subjects) {
    const standing = standingOf(frame, times, consumer, need, subject);
    if (!standing.holds) continue;
    const later = pickProvider(frame, plan, consumer, thing(need.kind, need.name, subject)).refused;
    const provider = heldBy(need, subject, standing.record);
    return {
      subject,
      provider: need.kind === 'capability' ? 'fact' : 'stored',
      node: null,
      binding: {
        kind: need.kind === 'capability' ? 'fact' : 'artifact',
        provider,
        origin: 'planner',
        reason: standing.reason,
        candidates: [{ provider, taken: true, reason: standing.reason }, ...later, ...notNeeded(frame, need)],
      },
    };
  }
  return need.kind === 'artifact' ? fromGenerator(linking, consumer, need) : null;
}

function fromNode(
  linking: Linking,
  consumer: Draft,
  need: Need,
  subject: string,
  node: Draft,
  passed: readonly Candidate[],
): Chosen {
  const standing = standingOf(linking.frame, linking.times, consumer, need, subject);
  const decision =
    node.origin === 'planner' ? linking.decisions.get(thing(need.kind, need.name, subject)) : undefined;
  const reason: Text =
    node.origin === 'planner' && !standing.holds
      ? standing.reason
      : text('plan.given_by', { provider: node.key });
  const held: Candidate[] = [];
  if (standing.holds)
    held.push({
      provider: heldBy(need, subject, standing.record),
      taken: false,
      reason: text('plan.proved_again', { provider: node.key }),
    });
  else if (standing.record !== null)
    held.push({ provider: heldBy(need, subject, standing.record), taken: false, reason: standing.reason });
  const others =
    decision?.refused ?? (node.origin === 'planner' ? refusedJobs(linking.frame, need, node) : []);
  return {
    subject,
    provider: node.key,
    node: node.key,
    binding: {
      kind: 'job',
      provider: node.key,
      origin: node.origin === 'planner' ? (decision?.origin ?? 'planner') : 'template',
      reason,
      candidates: [{ provider: node.key, taken: true, reason }, ...held, ...passed, ...others],
    },
  };
}

function fromGenerator(linking: Linking, consumer: Draft, need: ArtifactNeed): Chosen | null {
  if (generatorOf(linking.frame, need.type) === null) return null;
  const owner = need.subjects[0];
  const standing = standingOf(linking.frame, linking.times, consumer, need, owner);
  const reason = text('plan.generated', { artifact: need.name, owner });
  const held =
    standing.record === null
      ? []
      : [{ provider: heldBy(need, owner, standing.record), taken: false, reason: standing.reason }];
  return {
    subject: owner,
    provider: 'generated',
    node: null,
    binding: {
      kind: 'generated',
      provider: 'generated',
      origin: 'template',
      reason,
      candidates: [{ provider: 'generated', taken: true, reason }, ...held],
    },
  };
}

/** Name of what the world holds: the resource of a fact, the version of an artifact. */
function heldBy(need: Need, subject: string, record: unknown): string {
  return need.kind === 'capability' ? subject : storedName(record as ArtifactRecord);
}

/** The jobs that could have been inserted, had the world not had it (L7). */
function notNeeded(frame: Frame, need: Need): readonly Candidate[] {
  return frame.catalog
    .jobsGiving(need.kind, need.name)
    .filter((job) => notInsertable(frame, job) === null)
    .map((job) => ({ provider: jobName(frame, job), taken: false, reason: text('plan.not_needed') }));
}

function refusedJobs(frame: Frame, need: Need, taken: Draft): readonly Candidate[] {
  return frame.catalog
    .jobsGiving(need.kind, need.name)
    .filter((job) => job !== taken.job)
    .map((job) => ({
      provider: jobName(frame, job),
      taken: false,
      reason: notInsertable(frame, job) ?? text('plan.not_needed'),
    }));
}
