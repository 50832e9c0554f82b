import { GraphQLError } from 'graphql';
import { Arg, Ctx, Extensions, Field, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { GraphContext } from './context.js';
import { DocumentInput, documentOf } from './document.js';
import { OperationType } from './operation.js';
import { PlanType } from './plan.js';
import { type ProblemType, resultOf, toProblem } from './problem.js';
import { Sequence } from './scalars.js';

const KEY = { description: 'The same key with the same input is the same request; kept 24 h.' };

@InputType()
export class StartInput {
  @Field(() => DocumentInput, { description: 'An intent.' })
  document!: DocumentInput;

  @Field(() => String, KEY)
  idempotencyKey!: string;
}

@InputType()
export class CancelInput {
  @Field(() => String, { description: 'Id or number.' })
  operation!: string;

  @Field(() => String, KEY)
  idempotencyKey!: string;
}

@InputType({ description: 'Exactly one of them.' })
@Extensions({ oneOf: true })
export class ControlInput {
  @Field(() => CancelInput, { nullable: true })
  cancel?: CancelInput | null;
}

@InputType()
export class RetryNodeInput {
  @Field(() => String, { description: 'Id or number.' })
  operation!: string;

  @Field(() => String, { nullable: true, description: 'Null: every node that stopped.' })
  nodeKey?: string | null;

  @Field(() => String, KEY)
  idempotencyKey!: string;
}

@ObjectType({ description: 'The operation was accepted.' })
export class StartedOperation {
  @Field(() => OperationType)
  operation!: OperationType;
}

@ObjectType({ description: 'The command was written.' })
export class CommandAccepted {
  @Field(() => Sequence, { description: 'Of the event that recorded it.' })
  sequence!: number;
}

const PlanResult = resultOf('PlanResult', PlanType);
const StartResult = resultOf('StartResult', StartedOperation);
const ControlResult = resultOf('ControlResult', CommandAccepted);
const RetryNodeResult = resultOf('RetryNodeResult', CommandAccepted);

@Resolver()
export class OperationMutations {
  @Query(() => PlanResult, {
    description: 'The plan for an intent against the world as it is now; starts nothing.',
  })
  async previewPlan(
    @Arg('intent', () => DocumentInput) intent: DocumentInput,
    @Ctx() { control, actor }: GraphContext,
  ): Promise<PlanType | ProblemType> {
    const outcome = await control.previewPlan(actor, documentOf(intent));
    return outcome.ok ? PlanType.preview(outcome.value) : toProblem(outcome.problems);
  }

  @Mutation(() => StartResult, { description: 'Plans an intent and starts it.' })
  async startOperation(
    @Arg('input', () => StartInput) input: StartInput,
    @Ctx() context: GraphContext,
  ): Promise<StartedOperation | ProblemType> {
    const { control, actor, loaders } = context;
    const idempotencyKey = keyOf(input);
    const outcome = await control.startOperation(actor, {
      document: documentOf(input.document),
      idempotencyKey,
    });
    if (!outcome.ok) return toProblem(outcome.problems);
    const row = await loaders.operation.load(outcome.value.id);
    if (!row) throw new Error(`${outcome.value.id} was made and is not there`);
    return Object.assign(new StartedOperation(), { operation: OperationType.alone(row) });
  }

  @Mutation(() => ControlResult, {
    description: 'Answers when the order is written; watch the operation for its effect.',
  })
  async controlOperation(
    @Arg('input', () => ControlInput) input: ControlInput,
    @Ctx() { control, actor }: GraphContext,
  ): Promise<CommandAccepted | ProblemType> {
    if (!input.cancel) throw badInput('input: expected cancel');
    const outcome = await control.cancelOperation(actor, input.cancel.operation, keyOf(input.cancel));
    return outcome.ok ? accepted(outcome.value) : toProblem(outcome.problems);
  }

  @Mutation(() => RetryNodeResult, {
    description: 'Tries nodes again that stopped; finished ones keep what they have.',
  })
  async retryNode(
    @Arg('input', () => RetryNodeInput) input: RetryNodeInput,
    @Ctx() { control, actor }: GraphContext,
  ): Promise<CommandAccepted | ProblemType> {
    const { operation, nodeKey = null } = input;
    const outcome = await control.retry(actor, { operation, nodeKey, idempotencyKey: keyOf(input) });
    return outcome.ok ? accepted(outcome.value) : toProblem(outcome.problems);
  }
}

/** Of a bounded alphabet: it becomes part of a row's key. */
export function keyOf(input: { readonly idempotencyKey: string }): string {
  if (/^[\x21-\x7e]{8,200}$/.test(input.idempotencyKey)) return input.idempotencyKey;
  throw badInput('idempotencyKey: expected 8 to 200 printable ASCII characters without spaces');
}

function accepted({ sequence }: { readonly sequence: number }): CommandAccepted {
  return Object.assign(new CommandAccepted(), { sequence });
}

function badInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } });
}
