import type { Environment, Intent, Outcome } from '@capstan/model';
import { hostKey, ok, refused, text } from '@capstan/model';
import type { Known, Subject } from './frame.js';
import { expectedName } from './nearest.js';
import type { World } from './world.js';

const DEFAULT: Environment = { name: 'default', kind: 'standard' };

/** The scope of the operation: what the intent says, else where its hosts are, else `default` (S31). */
export function chooseEnvironment(
  intent: Intent,
  world: World,
  known: Known,
  subject: Subject,
): Outcome<Environment> {
  const stated = intent.constraints['environment'];
  if (stated !== undefined && typeof stated !== 'string') {
    return refused({
      code: 'invalid_parameter',
      text: text('plan.invalid_parameter', {
        path: 'constraints.environment',
        found: JSON.stringify(stated).slice(0, 80),
      }),
      expected: 'the name of an environment',
    });
  }
  const ofHosts = [
    ...new Set(namedHosts(intent).flatMap((name) => known.hosts.get(hostKey(name))?.environment ?? [])),
  ].sort();
  const existing = world.resources.find((resource) => resource.key === subject.key);
  if (stated === undefined && ofHosts.length > 1) {
    return refused({
      code: 'invalid_parameter',
      text: text('plan.hosts_in_several_environments', { environments: ofHosts.join(', ') }),
      expected: 'hosts of one environment',
    });
  }
  const name = stated ?? ofHosts[0] ?? existing?.environment ?? DEFAULT.name;
  if (existing !== undefined && existing.environment !== name) {
    return refused({
      code: 'conflict',
      text: text('plan.resource_elsewhere', {
        key: subject.key,
        environment: existing.environment,
        wanted: name,
      }),
      expected: `environment ${existing.environment}, or another name`,
    });
  }
  const found =
    world.environments.find((environment) => environment.name === name) ??
    (name === DEFAULT.name ? DEFAULT : undefined);
  if (found !== undefined) return ok(found);
  return refused({
    code: 'unknown_resource',
    text: text('plan.unknown_environment', { environment: name }),
    expected: expectedName(
      name,
      world.environments.map((environment) => environment.name),
    ),
  });
}

/** Every host that the intent names, whatever the set. */
function namedHosts(intent: Intent): readonly string[] {
  if (intent.hosts === null) return [];
  return isList(intent.hosts) ? intent.hosts : Object.values(intent.hosts).flat();
}

/** Whether `hosts:` is the list form, for the only set. */
export function isList(hosts: NonNullable<Intent['hosts']>): hosts is readonly string[] {
  return Array.isArray(hosts);
}
