import type { Intent, Outcome, ResourceType, Scenario } from '@capstan/model';
import { ok, refused, text } from '@capstan/model';
import type { CatalogIndex } from './catalog-index.js';
import { bareName } from './catalog-index.js';
import { order } from './frame.js';
import { expectedName } from './nearest.js';
import type { World } from './world.js';

/** The template for an intent: the one scenario with its action on its target type. */
export function chooseScenario(
  intent: Intent,
  catalog: CatalogIndex,
  world: World,
): Outcome<{ readonly scenario: Scenario; readonly type: ResourceType }> {
  const type = targetType(intent, catalog, world);
  if (!type.ok) return type;
  const onType = catalog.scenarios.filter((scenario) => scenario.targetResourceType === type.value.id);
  const fitting = onType
    .filter((scenario) => scenario.action === intent.action)
    .sort((a, b) => order(a.pack, b.pack) || order(a.id, b.id) || order(a.version, b.version));
  const wanted = intent.constraints['scenario'];
  const chosen =
    typeof wanted === 'string'
      ? fitting.filter((scenario) => [scenario.id, nameOf(scenario)].includes(wanted))
      : fitting;
  const [first, second] = chosen;
  if (first === undefined) return refused(unknownScenario(intent, type.value, onType, fitting));
  if (second === undefined) return ok({ scenario: first, type: type.value });
  const options = chosen.map(nameOf).join(', ');
  return refused({
    code: 'needs_choice',
    text: text('plan.several_scenarios', { action: intent.action, type: type.value.id, options }),
    expected: `constraints.scenario: one of ${options}`,
  });
}

function targetType(intent: Intent, catalog: CatalogIndex, world: World): Outcome<ResourceType> {
  const types = [...catalog.types.values()];
  if (intent.targetResourceType !== undefined) {
    const type = catalog.types.get(bareName(intent.targetResourceType));
    if (type !== undefined) return ok(type);
    return refused({
      code: 'unknown_scenario',
      text: text('plan.unknown_type', { type: intent.targetResourceType, action: intent.action }),
      expected: expectedName(
        intent.targetResourceType,
        types.map((each) => each.id),
      ),
    });
  }
  const key = intent.targetResource;
  if (key === undefined) {
    return refused({
      code: 'missing_value',
      text: text('plan.no_target'),
      expected: 'target_resource or target_resource_type',
    });
  }
  const existing = world.resources.find((resource) => resource.key === key);
  const prefix = key.split('/')[0] ?? '';
  const type = types.find((each) => each.id === existing?.type) ?? types.find((each) => each.key === prefix);
  if (type !== undefined) return ok(type);
  return refused({
    code: 'unknown_resource',
    text: text('plan.unknown_prefix', { key, prefix }),
    expected: expectedName(
      prefix,
      types.map((each) => each.key),
    ),
  });
}

function unknownScenario(
  intent: Intent,
  type: ResourceType,
  onType: readonly Scenario[],
  fitting: readonly Scenario[],
) {
  if (fitting.length > 0) {
    const wanted = String(intent.constraints['scenario']);
    return {
      code: 'unknown_scenario' as const,
      text: text('plan.unknown_scenario_choice', { wanted }),
      expected: expectedName(wanted, fitting.map(nameOf)),
    };
  }
  const actions = [...new Set(onType.map((scenario) => scenario.action))];
  return {
    code: 'unknown_scenario' as const,
    text: text('plan.unknown_action', { action: intent.action, type: type.id }),
    expected: expectedName(intent.action, actions),
  };
}

function nameOf(scenario: Scenario): string {
  return `${scenario.id}@${scenario.version}`;
}
