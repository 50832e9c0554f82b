import { Field, ID, InterfaceType } from 'type-graphql';

/** Refetching by id; a plan node is none, its key is its identity within a plan. */
@InterfaceType('Node', { description: 'What can be asked for again by its id.' })
export abstract class NodeType {
  @Field(() => ID)
  readonly id!: string;
}
