import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { textOf } from './artifact.js';
import type { GraphContext } from './context.js';
import { keyOf } from './operation-mutations.js';
import { type ProblemType, resultOf, toProblem } from './problem.js';

@InputType()
export class RevealInput {
  @Field(() => String, { description: 'Key of the resource that owns it.' })
  resource!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String)
  idempotencyKey!: string;
}

@ObjectType({ description: 'The only place where a sensitive value is given. Each reading is audited.' })
export class RevealedArtifact {
  @Field(() => String, { nullable: true, description: 'Null when the bytes are no UTF-8.' })
  value!: string | null;

  @Field(() => String)
  base64!: string;
}

const RevealResult = resultOf('RevealResult', RevealedArtifact);

@Resolver()
export class ArtifactResolver {
  @Mutation(() => RevealResult)
  async revealArtifact(
    @Arg('input', () => RevealInput) input: RevealInput,
    @Ctx() { control, actor }: GraphContext,
  ): Promise<RevealedArtifact | ProblemType> {
    const { resource, name } = input;
    const outcome = await control.revealArtifact(actor, { resource, name, idempotencyKey: keyOf(input) });
    if (!outcome.ok) return toProblem(outcome.problems);
    const { value } = outcome.value;
    return Object.assign(new RevealedArtifact(), {
      value: textOf(value),
      base64: Buffer.from(value).toString('base64'),
    });
  }
}
