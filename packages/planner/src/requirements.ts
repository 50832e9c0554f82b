import type {
  Binding,
  Candidate,
  CapabilityType,
  JsonValue,
  Outcome,
  Problem,
  Requirement,
  Resource,
  Scenario,
  Text,
} from '@capstan/model';
import { ok, refused, renderText, text, versionInRange } from '@capstan/model';
import type { CatalogIndex } from './catalog-index.js';
import type { BoundResource, Known } from './frame.js';
import { order } from './frame.js';
import { expectedName } from './nearest.js';
import { chosenProvider } from './person-choice.js';
import { factStanding } from './resolve.js';
import { notSupported } from './supported.js';
import type { ValueSources } from './values.js';
import { evaluate } from './values.js';
import type { World } from './world.js';

/** What the scenario's `requires` were bound to. */
export interface BoundRequirements {
  readonly resources: ReadonlyMap<string, BoundResource>;
  readonly bindings: readonly Binding[];
}

interface Step {
  readonly scenario: Scenario;
  readonly sources: ValueSources;
  readonly catalog: CatalogIndex;
  readonly known: Known;
  readonly world: World;
}

/** Binds every `requires` of the scenario to the one existing resource that fits it, in listed order: later ones may read earlier ones. */
export function bindRequirements(step: Step): Outcome<BoundRequirements> {
  const resources = new Map<string, BoundResource>();
  const bindings: Binding[] = [];
  const problems: Problem[] = [];
  for (const requirement of step.scenario.requires) {
    const bound = bindOne(requirement, { ...step, sources: { ...step.sources, bindings: resources } });
    if (!bound.ok) {
      problems.push(...bound.problems);
      continue;
    }
    resources.set(requirement.as, bound.value.resource);
    bindings.push(bound.value.binding);
  }
  return problems.length > 0 ? refused(...problems) : ok({ resources, bindings });
}

function bindOne(
  requirement: Requirement,
  step: Step,
): Outcome<{ readonly resource: BoundResource; readonly binding: Binding }> {
  const where = `requirement ${requirement.as} of scenario ${step.scenario.id}`;
  const unbuilt = [
    ...(requirement.sameAs === undefined ? [] : ['same_as']),
    ...(requirement.claim === true ? ['claim'] : []),
    ...(requirement.claimParams === undefined ? [] : ['claim_params']),
    ...(requirement.on === undefined || requirement.on.kind === 'target'
      ? []
      : [`on: ${requirement.on.kind}`]),
  ];
  if (unbuilt.length > 0) return refused(...unbuilt.map((field) => notSupported(field, where)));
  const type = step.catalog.capability(requirement.capability, step.scenario.pack);
  if (type === null) {
    const known = step.catalog
      .reach(step.scenario.pack)
      .flatMap((pack) => pack.capabilities.map((each) => each.id));
    return refused({
      code: 'unknown_reference',
      text: text('plan.unknown_capability', { capability: requirement.capability, where }),
      expected: expectedName(requirement.capability, known),
    });
  }
  const judged = candidatesFor(requirement, type, step).map((resource) => ({
    resource,
    ...judgeCandidate(resource, requirement, type, step),
  }));
  const fitting = judged.filter((candidate) => candidate.refusal === null);
  const wish = chosenProvider(step.sources.intent, requirement.as);
  const chosen = wish === null ? fitting : fitting.filter((candidate) => candidate.resource.key === wish);
  const [first, second] = chosen;
  if (first === undefined) return refused(unmet(requirement, type, judged));
  if (second !== undefined) {
    const options = chosen.map((candidate) => candidate.resource.key).join(', ');
    return refused({
      code: 'needs_choice',
      text: text('plan.several_providers', { requirement: requirement.as, capability: type.id, options }),
      expected: `constraints.providers.${requirement.as}: one of ${options}`,
    });
  }
  const candidates: Candidate[] = judged.map((candidate) => ({
    provider: candidate.resource.key,
    taken: candidate === first,
    reason: candidate.refusal ?? (candidate === first ? candidate.standing : text('plan.not_chosen')),
  }));
  return ok({
    resource: {
      as: requirement.as,
      capability: type.id,
      key: first.resource.key,
      type: first.resource.type,
      attributes: first.attributes,
    },
    binding: {
      requirement: requirement.as,
      kind: 'resource',
      provider: first.resource.key,
      origin: fitting.length > 1 ? 'person' : 'planner',
      reason: first.standing,
      candidates,
    },
  });
}

function candidatesFor(requirement: Requirement, type: CapabilityType, step: Step): readonly Resource[] {
  const wanted = requirement.on?.kind === 'target' ? step.sources.subject.key : null;
  return step.world.resources
    .filter((resource) => resource.type === type.of && (wanted === null || resource.key === wanted))
    .sort((a, b) => order(a.key, b.key));
}

type Values = Readonly<Record<string, JsonValue>>;
interface Judged {
  readonly refusal: Text | null;
  readonly standing: Text;
  readonly attributes: Values;
}

function judgeCandidate(
  resource: Resource,
  requirement: Requirement,
  type: CapabilityType,
  step: Step,
): Judged {
  const { sources, known } = step;
  const fact = factStanding({ known, environment: sources.environment }, type.id, resource.key);
  const attributes = fact.record?.attributes ?? {};
  const judged = (refusal: Text | null): Judged => ({ refusal, standing: fact.reason, attributes });
  if (resource.environment !== sources.environment.name) {
    return judged(text('plan.other_environment', { environment: resource.environment }));
  }
  if (!fact.holds) return judged(fact.reason);
  if (requirement.version !== undefined) {
    const found = type.versionAttribute === undefined ? undefined : attributes[type.versionAttribute];
    if (typeof found !== 'string' || versionInRange(found, requirement.version) !== true) {
      return judged(
        text('plan.wrong_version', {
          found: found === undefined ? '' : String(found),
          range: requirement.version,
        }),
      );
    }
  }
  if (requirement.where !== undefined) {
    const candidate = {
      key: resource.key,
      type: resource.type,
      environment: resource.environment,
      attributes: { ...resource.attributes },
    };
    const result = evaluate(sources, requirement.where, null, { attributes: { ...attributes }, candidate });
    if (!result.ok)
      return judged(text('plan.where_error', { where: requirement.where, error: result.error }));
    if (result.value !== true) return judged(text('plan.where_false', { where: requirement.where }));
  }
  return judged(null);
}

function unmet(
  requirement: Requirement,
  type: CapabilityType,
  judged: readonly (Judged & { readonly resource: Resource })[],
): Problem {
  const tried = judged
    .map((candidate) => `${candidate.resource.key}: ${renderText(candidate.refusal ?? candidate.standing)}`)
    .join('; ');
  return {
    code: 'unmet_requirement',
    text: text('plan.requirement_unmet', {
      requirement: requirement.as,
      capability: type.id,
      tried: tried === '' ? 'none' : tried,
    }),
    expected: `an existing ${type.of} that has ${type.id}; creating one on the way is not done by this version`,
  };
}
