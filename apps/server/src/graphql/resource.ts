import type { Fact, JsonValue, Resource } from '@capstan/model';
import { Field, ID, ObjectType } from 'type-graphql';
import { connectionOf } from './connection.js';
import { FactState, Provenance } from './enums.js';
import { NodeType } from './node.js';
import { DateTime, Json } from './scalars.js';

@ObjectType('Fact', { description: 'A capability that a resource has, and how it was proved.' })
export class FactType {
  @Field(() => String)
  readonly capability: string;

  @Field(() => FactState)
  readonly state: Fact['state'];

  @Field(() => Json)
  readonly attributes: Readonly<Record<string, JsonValue>>;

  @Field(() => Provenance)
  readonly provenance: Fact['provenance'];

  @Field(() => DateTime)
  readonly provedAt: string;

  @Field(() => DateTime, { nullable: true, description: 'Null: until something disturbs it.' })
  readonly freshUntil: string | null;

  @Field(() => [String], { description: 'Ids of the evidence that proves it.' })
  readonly evidence: readonly string[];

  constructor(fact: Fact) {
    this.capability = fact.capability;
    this.state = fact.state;
    this.attributes = fact.attributes;
    this.provenance = fact.provenance;
    this.provedAt = fact.provedAt;
    this.freshUntil = fact.freshUntil;
    this.evidence = fact.evidence;
  }
}

@ObjectType('Resource', { implements: NodeType, description: 'A managed thing with a type and a key.' })
export class ResourceObject implements NodeType {
  @Field(() => ID)
  readonly id: string;

  @Field(() => String)
  readonly key: string;

  @Field(() => String)
  readonly type: string;

  readonly environmentName: string;

  @Field(() => Json)
  readonly attributes: Readonly<Record<string, JsonValue>>;

  constructor(resource: Resource) {
    this.id = resource.id;
    this.key = resource.key;
    this.type = resource.type;
    this.environmentName = resource.environment;
    this.attributes = resource.attributes;
  }
}

export const ResourceConnectionType = connectionOf<ResourceObject>('Resource', () => ResourceObject);

/** Ordered by capability. */
export function factTypes(facts: readonly Fact[]): readonly FactType[] {
  return [...facts].sort((a, b) => (a.capability < b.capability ? -1 : 1)).map((fact) => new FactType(fact));
}
