import type { StoredEvent } from '@capstan/engine';
import { renderEvent } from '@capstan/model';
import { Field, Int, ObjectType } from 'type-graphql';
import { connectionOf } from './connection.js';
import { DateTime, Json, Sequence } from './scalars.js';
import { TextType } from './text.js';

@ObjectType('Actor', { description: 'Who did it.' })
export class ActorType {
  @Field(() => String, { description: 'human, token, service, pack or analyzer.' })
  kind!: string;

  @Field(() => String)
  id!: string;
}

@ObjectType('OperationEvent', { description: 'One entry of the gap-free history of an operation.' })
export class OperationEventType {
  @Field(() => Sequence)
  readonly sequence: number;

  @Field(() => DateTime)
  readonly at: string;

  @Field(() => String, { description: 'Clients must accept types that they do not know.' })
  readonly type: string;

  @Field(() => Int, { description: 'Version of the event.' })
  readonly v: number;

  @Field(() => ActorType)
  readonly actor: ActorType;

  @Field(() => String, { nullable: true })
  readonly nodeKey: string | null;

  @Field(() => String, { nullable: true })
  readonly attemptId: string | null;

  @Field(() => TextType)
  readonly text: TextType;

  @Field(() => Json)
  readonly data: Readonly<Record<string, unknown>>;

  constructor({ event, at }: StoredEvent) {
    const { sequence, v, actor, type, ...data } = event;
    this.sequence = sequence;
    this.at = at;
    this.type = type;
    this.v = v;
    this.actor = actor;
    this.nodeKey = 'nodeKey' in event ? event.nodeKey : null;
    this.attemptId = 'attemptId' in event ? event.attemptId : null;
    this.text = new TextType(type, {}, (locale) => renderEvent(event, locale));
    this.data = data;
  }
}

export const EventConnectionType = connectionOf<OperationEventType>(
  'OperationEvent',
  () => OperationEventType,
);
