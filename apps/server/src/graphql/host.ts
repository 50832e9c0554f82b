import type { HostConnection } from '@capstan/engine';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { connectionOf } from './connection.js';
import { HostTier, Provenance } from './enums.js';
import { NodeType } from './node.js';

@ObjectType('Host', { implements: NodeType, description: 'A machine and how it is reached.' })
export class HostType implements NodeType {
  @Field(() => ID)
  readonly id: string;

  @Field(() => String)
  readonly name: string;

  @Field(() => String, { description: 'Its resource key, `node/<name>`.' })
  readonly key: string;

  readonly environmentName: string;

  @Field(() => String)
  readonly address: string;

  @Field(() => Int)
  readonly port: number;

  @Field(() => String)
  readonly user: string;

  @Field(() => String, {
    nullable: true,
    description: 'Of the pinned key; null: never accepted, so nothing is sent.',
  })
  readonly hostKeyFingerprint: string | null;

  @Field(() => Provenance)
  readonly provenance: HostConnection['provenance'];

  @Field(() => Boolean, { description: 'False: only jobs with `sandbox: any` may run there.' })
  readonly isolated: boolean;

  @Field(() => HostTier)
  readonly tier: HostConnection['tier'];

  constructor(host: HostConnection) {
    this.id = host.id;
    this.name = host.name;
    this.key = host.key;
    this.environmentName = host.environment;
    this.address = host.address;
    this.port = host.port;
    this.user = host.user;
    this.hostKeyFingerprint = host.hostKeyFingerprint;
    this.provenance = host.provenance;
    this.isolated = host.isolated;
    this.tier = host.tier;
  }
}

export const HostConnectionType = connectionOf<HostType>('Host', () => HostType);
