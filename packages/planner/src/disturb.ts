import type { Job, Outcome, Problem } from '@capstan/model';
import { canonicalHash, downstreamOf, ok, qualified, refused, text } from '@capstan/model';
import type { Draft } from './draft.js';
import { draftNode } from './draft.js';
import type { Disturbed } from './hand-over.js';
import { handOver } from './hand-over.js';
import type { Linked, Linking } from './link.js';
import { linkNode } from './link.js';
import { thing } from './needs.js';
import type { BoundRequirements } from './requirements.js';

/** A node that runs nothing and only proves again. */
const REPROVE_JOB: Job = {
  id: 'reprove',
  pack: 'capstan',
  title: { en: 'Prove again', ru: 'Доказать заново' },
  place: { kind: 'host' },
  with: {},
  contract: {
    inputs: { capabilities: [], artifacts: [] },
    outputs: { capabilities: [], artifacts: [], evidence: [] },
  },
  proves: {},
  run: null,
  skipIfProved: false,
  onDemand: false,
  destructive: false,
  disturbs: [],
  sandbox: 'any',
  risk: 'low',
  estimate: { p50Ms: 0, p90Ms: 0 },
  digest: canonicalHash('capstan/job/v1', 'reprove'),
  notExecuted: [],
};

/**
 * Adds a proof at the end of each stage in which a job disturbs what the plan relies on (S4): something proved earlier,
 * or a fact that it uses. What the disturbing job, or a job behind it in the same stage, proves itself needs none.
 * Whoever reads it afterwards reads the new proof.
 */
export function reproveDisturbed(
  linking: Linking,
  linked: readonly Linked[],
  bound: BoundRequirements,
): Outcome<readonly Linked[]> {
  const problems: Problem[] = [];
  const keys = new Set(linked.map((node) => node.key));
  const proofs: Linked[] = [];
  let nodes = linked;
  for (const disturbed of reliedUpon(linking, linked, bound)) {
    const draft = reproveDraft(linking, disturbed, linked, keys);
    const result = draft.ok ? linkNode(linking, draft.value) : draft;
    if (!result.ok) {
      problems.push(...result.problems);
      continue;
    }
    const reprove = result.value;
    keys.add(reprove.key);
    for (const key of lastOfStage(linked, disturbed.stage)) reprove.edges.add(key);
    proofs.push(reprove);
    nodes = handOver(linking, nodes, proofs, disturbed, reprove);
  }
  return problems.length > 0 ? refused(...problems) : ok([...nodes, ...proofs]);
}

function reliedUpon(
  linking: Linking,
  linked: readonly Linked[],
  bound: BoundRequirements,
): readonly Disturbed[] {
  const facts = new Set([
    ...linked.flatMap((node) =>
      node.needs
        .filter((need) => need.provider === 'fact')
        .map((need) => thing('capability', need.capability, need.subject)),
    ),
    ...[...bound.resources.values()].map((resource) =>
      thing('capability', resource.capability, resource.key),
    ),
  ]);
  const found = new Map<string, Disturbed>();
  const graph = linked.map(({ key, edges }) => ({ key, dependsOn: [...edges] }));
  for (const node of linked) {
    if (node.draft.disturbs.length === 0) continue;
    const behind = downstreamOf(graph, node.key);
    for (const { capability, subject } of node.draft.disturbs) {
      const each = thing('capability', capability, subject);
      const provers = linking.plan.giversOf(each);
      if (provers.some((prover) => prover.key === node.key)) continue;
      if (provers.some((prover) => prover.stage === node.stage && behind.has(prover.key))) continue;
      const before = provers.some(
        (prover) => !behind.has(prover.key) && !linking.frame.stages.isAfter(prover.stage, node.stage),
      );
      if (!before && !facts.has(each)) continue;
      const key = `${node.stage} ${each}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, { stage: node.stage, capability, subject, by: [node] });
      else known.by.push(node);
    }
  }
  return [...found.values()];
}

function reproveDraft(
  linking: Linking,
  disturbed: Disturbed,
  linked: readonly Linked[],
  taken: ReadonlySet<string>,
): Outcome<Draft> {
  const { capability, subject } = disturbed;
  const each = thing('capability', capability, subject);
  const prover = proverOf(linking, disturbed, each);
  if (prover === null) {
    return refused({
      code: 'unmet_requirement',
      text: text('plan.cannot_reprove', {
        capability,
        subject,
        by: disturbed.by.map((node) => node.key).join(', '),
      }),
      expected: `a job whose checks prove ${capability}`,
    });
  }
  const stage = linking.frame.stages.place(disturbed.stage);
  return ok({
    key: freeKey(`reprove-${capability}`, subject.slice(subject.indexOf('/') + 1), taken),
    stage: disturbed.stage,
    position: {
      stage,
      listing: Math.max(...linked.map((node) => node.draft.position.listing)) + 1,
      before: 0,
    },
    job: REPROVE_JOB,
    host: prover.host,
    origin: 'planner',
    reason: text('plan.disturbed_by', {
      capability,
      subject,
      by: disturbed.by.map((node) => node.key).join(', '),
    }),
    params: {},
    needs: [],
    proofs: prover.proofs.filter((proof) => proof.capability === capability && proof.subject === subject),
    outputs: [],
    checks: prover.checks
      .filter((check) => check.proves.includes(each))
      .map((check) => ({ ...check, proves: [each] })),
    disturbs: [],
  });
}

/** Whose checks prove it: the last node before the disturbance, else any job of the packs in reach that gives it. */
function proverOf(linking: Linking, disturbed: Disturbed, each: string): Draft | null {
  const { frame, plan } = linking;
  const before = plan.giversOf(each).filter((draft) => !frame.stages.isAfter(draft.stage, disturbed.stage));
  const last = before.at(-1);
  if (last !== undefined) return last;
  const reach = new Set(frame.catalog.reach(frame.scenario.pack).map((pack) => pack.name));
  const jobs = frame.catalog
    .jobsGiving('capability', disturbed.capability)
    .filter((job) => reach.has(job.pack));
  const [disturber] = disturbed.by as [Linked, ...Linked[]];
  const host = frame.known.hosts.get(disturbed.subject) ?? disturber.draft.host;
  for (const job of [...jobs.filter((one) => one.onDemand), ...jobs.filter((one) => !one.onDemand)]) {
    const draft = draftNode(frame, {
      key: qualified(job),
      stage: disturbed.stage,
      position: disturber.draft.position,
      job,
      host,
      origin: 'planner',
    });
    if (draft.ok && draft.value.checks.some((check) => check.proves.includes(each))) return draft.value;
  }
  return null;
}

function lastOfStage(linked: readonly Linked[], stage: string): readonly string[] {
  const members = linked.filter((node) => node.stage === stage);
  const waitedFor = new Set(members.flatMap((node) => [...node.edges]));
  return members.map((node) => node.key).filter((key) => !waitedFor.has(key));
}

function freeKey(name: string, subject: string, taken: ReadonlySet<string>): string {
  for (let repeat = 1; ; repeat++) {
    const key = `${name}${repeat === 1 ? '' : `~${repeat}`}[${subject}]`;
    if (!taken.has(key)) return key;
  }
}
