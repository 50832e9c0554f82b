import type { Binding, Outcome, Plan, PlanNode, Text } from '@capstan/model';
import { cycleProblem, ok, planHash, qualified, refused, text, topologicalOrder } from '@capstan/model';
import { indexCatalog } from './catalog-index.js';
import { reproveDisturbed } from './disturb.js';
import { byPosition } from './draft.js';
import { chooseEnvironment } from './environment-choice.js';
import { expandTemplate } from './expand.js';
import type { Frame } from './frame.js';
import { arrange, order } from './frame.js';
import { needsOfGenerate } from './generate.js';
import { fillHostSets } from './host-sets.js';
import { insertProviders } from './insert.js';
import { judgeEstimate, judgeRisk } from './judge.js';
import type { Linked, Linking } from './link.js';
import { linkByContract } from './link.js';
import { nameSubject } from './operation-subject.js';
import { checkParameters } from './parameters.js';
import { pinPacks } from './pinned-packs.js';
import { promisedProofs } from './promises.js';
import type { BoundRequirements } from './requirements.js';
import { bindRequirements } from './requirements.js';
import { chooseScenario } from './scenario-choice.js';
import { addBarriers, orderStages } from './stages.js';
import { unsupportedInScenario } from './supported.js';
import { estimateUse } from './use-times.js';
import type { PlanningLimits, PlanOutcome, PlanRequest } from './world.js';
import { PLANNING_LIMITS } from './world.js';

/** Makes the plan for one intent, or says why there is none. Pure: the same request gives the same bytes. */
export function planIntent(request: PlanRequest, limits: PlanningLimits = PLANNING_LIMITS): PlanOutcome {
  const framed = frameIntent(request, limits);
  if (!framed.ok) return refusal(framed.problems);
  const { frame, bound, packs } = framed.value;

  const drafts = expandTemplate(frame);
  if (!drafts.ok) return refusal(drafts.problems);
  const times = estimateUse(frame, drafts.value);
  const provided = insertProviders(frame, drafts.value, times);
  if (!provided.ok) return refusal(provided.problems);

  const linking: Linking = { frame, times, ...provided.value };
  const linked = linkByContract(linking);
  if (!linked.ok) return refusal(linked.problems);
  const proved = reproveDisturbed(linking, linked.value, bound);
  if (!proved.ok) return refusal(proved.problems);
  const promises = promisedProofs(frame, linked.value);
  if (!promises.ok) return refusal(promises.problems);
  const nodes = orderNodes(frame, proved.value);
  if (!nodes.ok) return refusal(nodes.problems);

  const jobs = byId(proved.value.map(({ draft }) => draft.job));
  const bindings = [
    ...bound.bindings,
    ...[...proved.value].sort((a, b) => byPosition(a.draft, b.draft)).flatMap((node) => node.bindings),
  ];
  const { scenario, subject, environment } = frame;
  const plan: Omit<Plan, 'hash'> = {
    revision: 1,
    intent: frame.intent,
    scenario: { id: scenario.id, version: scenario.version, pack: scenario.pack, digest: scenario.digest },
    title: scenario.title,
    subject,
    environment: environment.name,
    params: frame.params,
    sets: Object.fromEntries([...frame.sets].map(([name, hosts]) => [name, hosts.map((host) => host.key)])),
    hostKeys: hostKeysOf(nodes.value, promises.value, request),
    packs,
    stages: frame.scenario.stages.map(({ id, title }) => ({ id, title })),
    nodes: nodes.value,
    jobs,
    checks: byId(proved.value.flatMap(({ draft }) => draft.checks.map((bound) => bound.check))),
    bindings,
    gates: [],
    generate: needsOfGenerate(frame, proved.value),
    provides: promises.value,
    risk: judgeRisk(frame, jobs),
    estimate: judgeEstimate(nodes.value, jobs),
    plannedAt: frame.known.now,
  };
  return { kind: 'plan', plan: { ...plan, hash: planHash(plan) } };
}

function hostKeysOf(
  nodes: readonly PlanNode[],
  promises: Plan['provides'],
  { world }: PlanRequest,
): Plan['hostKeys'] {
  const touched = new Set([
    ...nodes.flatMap((node) => [node.target, ...node.checks.map((check) => check.from)]),
    ...promises.flatMap((promise) => promise.bound.map((check) => check.from)),
  ]);
  const hosts = world.hosts.filter((host) => touched.has(host.key)).sort((a, b) => (a.key < b.key ? -1 : 1));
  return Object.fromEntries(hosts.map((host) => [host.key, host.hostKeyFingerprint]));
}

interface Framed {
  readonly frame: Frame;
  readonly bound: BoundRequirements;
  readonly packs: Plan['packs'];
}

/** Everything that is decided before the template is expanded: scenario, subject, environment, parameters, hosts, bindings. */
function frameIntent(request: PlanRequest, limits: PlanningLimits): Outcome<Framed> {
  const { intent, world, expressions } = request;
  const catalog = indexCatalog(request.catalog);
  const known = arrange(world);
  const chosen = chooseScenario(intent, catalog, world);
  if (!chosen.ok) return chosen;
  const { scenario, type } = chosen.value;
  const unsupported = unsupportedInScenario(scenario);
  if (unsupported.length > 0) return refused(...unsupported);
  const stages = orderStages(scenario.stages);
  const subject = nameSubject(intent, type);
  if (!stages.ok || !subject.ok) {
    const params = subject.ok ? null : checkParameters(intent, scenario, null, known);
    const misspelt =
      params === null || params.ok ? [] : params.problems.filter((p) => p.code === 'unknown_parameter');
    return refused(...misspelt, ...[stages, subject].flatMap((part) => (part.ok ? [] : part.problems)));
  }
  const environment = chooseEnvironment(intent, world, known, subject.value);
  const params = checkParameters(intent, scenario, subject.value, known);
  if (!environment.ok || !params.ok)
    return refused(...[environment, params].flatMap((part) => (part.ok ? [] : part.problems)));
  const packs = pinPacks(catalog, scenario, environment.value);
  if (!packs.ok) return packs;

  const early = {
    expressions,
    intent,
    params: params.value,
    subject: subject.value,
    environment: environment.value,
    bindings: new Map(),
  };
  const sets = fillHostSets(scenario, { ...early, sets: new Map() }, known);
  if (!sets.ok) return sets;
  const bound = bindRequirements({
    scenario,
    catalog,
    known,
    world,
    sources: { ...early, sets: sets.value },
  });
  if (!bound.ok) return bound;
  const frame: Frame = {
    ...early,
    catalog,
    known,
    limits,
    scenario,
    sets: sets.value,
    bindings: bound.value.resources,
    stages: stages.value,
  };
  return ok({ frame, bound: bound.value, packs: packs.value });
}

/** Adds the barriers and puts the nodes into an order that respects every edge. */
function orderNodes(frame: Frame, linked: readonly Linked[]): Outcome<readonly PlanNode[]> {
  addBarriers(frame.stages, linked);
  const listed = [...linked].sort((a, b) => byPosition(a.draft, b.draft));
  const sorted = topologicalOrder(
    listed.map((node) => ({ key: node.key, dependsOn: [...node.edges], node })),
  );
  if (!sorted.ok) return refused(cycleProblem(sorted.cycle));
  const bindings = listed.flatMap((node) => node.bindings);
  return ok(sorted.order.map(({ node }) => planNode(node, bindings)));
}

function planNode(node: Linked, bindings: readonly Binding[]): PlanNode {
  const { draft } = node;
  return {
    key: node.key,
    kind: 'job',
    stage: node.stage,
    job: qualified(draft.job),
    target: draft.host.key,
    dependsOn: [...node.edges].sort(order),
    origin: draft.origin,
    reason: draft.reason ?? (draft.origin === 'planner' ? insertedFor(node, bindings) : null),
    params: draft.params,
    needs: node.needs,
    inputs: node.inputs,
    outputs: draft.outputs,
    proofs: draft.proofs,
    checks: node.checks,
    disturbs: draft.disturbs,
  };
}

/** Why a job was inserted: the cause if there is one, else what its consumers miss. */
function insertedFor(node: Linked, bindings: readonly Binding[]): Text {
  const causes = bindings.filter((binding) => binding.provider === node.key && binding.kind === 'job');
  const texts = new Map(causes.map((binding) => [JSON.stringify(binding.reason), binding.reason]));
  const [only, another] = [...texts.values()];
  if (only !== undefined && another === undefined) return only;
  const names = [
    ...new Set(causes.map((binding) => binding.requirement.slice(binding.requirement.lastIndexOf('/') + 1))),
  ].sort(order);
  return text('plan.inserted_for', { needs: names.join(', ') });
}

function byId<T extends { readonly pack: string; readonly id: string }>(
  items: readonly T[],
): Readonly<Record<string, T>> {
  return Object.fromEntries(
    items.map((item): [string, T] => [qualified(item), item]).sort(([a], [b]) => order(a, b)),
  );
}

function refusal(
  problems: PlanOutcome extends infer O
    ? O extends { kind: 'refused'; problems: infer P }
      ? P
      : never
    : never,
): PlanOutcome {
  return { kind: 'refused', problems };
}
