import { columns } from './console.js';

export interface ShownFact {
  readonly capability: string;
  readonly state: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly provenance: string;
}

export interface ShownResource {
  readonly key: string;
  readonly type: string;
  readonly environment: string;
  readonly facts: readonly ShownFact[];
}

/** A resource for people: what is true of it, and how real that is. */
export function resourceCard(resource: ShownResource): string[] {
  const head = [resource.key, resource.type, resource.environment].join('  ');
  const reality = realityLine(resource);
  const facts = resource.facts.map((fact) => [
    '',
    fact.capability,
    fact.state,
    fact.provenance === 'stand_in' ? 'stand-in' : '',
    attributeWords(fact.attributes),
  ]);
  return [head, ...(reality === null ? [] : [`  ${reality}`]), ...columns(facts)];
}

/**
 * A fact proved through stand-ins may still be an answer of real software: its check observed `software`, the name and
 * version that the software gave of itself. Without that nothing is called real.
 */
function realityLine(resource: ShownResource): string | null {
  const holding = resource.facts.filter((fact) => fact.state === 'holds' && fact.provenance === 'stand_in');
  if (holding.length === 0) return null;
  const software = holding.map((fact) => fact.attributes.software).find((value) => typeof value === 'string');
  return software === undefined ? 'simulated host' : `real ${software}, simulated host`;
}

function attributeWords(attributes: Readonly<Record<string, unknown>>): string {
  return Object.entries(attributes)
    .filter(([name]) => name !== 'software')
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}
