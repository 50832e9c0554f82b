import type { EventGap } from '@capstan/engine';
import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { Page } from './connection.js';
import type { GraphContext } from './context.js';
import { EventConnectionType, type OperationEventType } from './event.js';
import { DateTime, Sequence } from './scalars.js';

@ObjectType('EventGap', { description: 'Events that retention removed; what is left of them.' })
export class EventGapType implements EventGap {
  @Field(() => Sequence)
  first!: number;

  @Field(() => Sequence)
  last!: number;

  @Field(() => DateTime)
  at!: string;

  @Field(() => String, { description: 'Who removed them, `kind:id`.' })
  actor!: string;

  @Field(() => String, { description: 'SHA-256 over the SHA-256 of each removed row, in order.' })
  sha256!: string;
}

/** A page that knows what it was asked for. */
export interface EventPage extends Page<OperationEventType> {
  readonly operationId: string;
  readonly after: number;
}

@Resolver(() => EventConnectionType)
export class EventGapResolver {
  @FieldResolver(() => EventGapType, {
    nullable: true,
    description: 'What is missing after the asked sequence because it was pruned; null = nothing is.',
  })
  async gap(
    @Root() { operationId, after }: EventPage,
    @Ctx() { loaders }: GraphContext,
  ): Promise<EventGapType | null> {
    const gap = await loaders.eventGap.load({ parent: operationId, after, limit: 1 });
    return gap ? Object.assign(new EventGapType(), gap) : null;
  }
}
