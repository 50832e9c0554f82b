import type { Environment } from '@capstan/model';
import { Field, ObjectType } from 'type-graphql';
import { EnvironmentKind } from './enums.js';

@ObjectType('Environment', { description: 'A named scope of resources and rights.' })
export class EnvironmentType {
  @Field(() => String)
  readonly name: string;

  @Field(() => EnvironmentKind)
  readonly kind: Environment['kind'];

  constructor(environment: Environment) {
    this.name = environment.name;
    this.kind = environment.kind;
  }
}
