import type { Environment, JsonValue, Outcome, Plan, Problem, Scenario } from '@capstan/model';
import { ok, refused, text, versionInRange } from '@capstan/model';
import type { CatalogIndex } from './catalog-index.js';
import { order } from './frame.js';
import { expectedName } from './nearest.js';

/** The packs that an operation pins by digest (S25): the scenario's own and everything it reaches through `needs`. */
export function pinPacks(
  catalog: CatalogIndex,
  scenario: Scenario,
  environment: Environment,
): Outcome<Plan['packs']> {
  const packs = catalog.reach(scenario.pack);
  const problems: Problem[] = [];
  for (const pack of packs) {
    for (const [name, range] of Object.entries(pack.needs)) {
      const needed = catalog.packs.get(name);
      if (needed !== undefined && versionInRange(needed.version, range) === true) continue;
      problems.push({
        code: 'unmet_requirement',
        text: text('plan.pack_need_unmet', {
          pack: pack.name,
          needs: name,
          range,
          found: needed?.version ?? 'none',
        }),
        expected: needed === undefined ? expectedName(name, [...catalog.packs.keys()]) : `${name} ${range}`,
      });
    }
    if (!mayRunIn(pack.permissions, environment.name)) {
      problems.push({
        code: 'not_allowed',
        text: text('plan.environment_not_permitted', { pack: pack.name, environment: environment.name }),
        expected: `permissions.environments of pack ${pack.name} with ${environment.name}`,
      });
    }
  }
  if (problems.length > 0) return refused(...problems);
  return ok(
    packs
      .map(({ name, version, digest }) => ({ name, version, digest }))
      .sort((a, b) => order(a.name, b.name)),
  );
}

function mayRunIn(permissions: JsonValue, environment: string): boolean {
  if (permissions === null || typeof permissions !== 'object' || Array.isArray(permissions)) return true;
  const allowed = permissions['environments'];
  return !Array.isArray(allowed) || allowed.includes(environment);
}
