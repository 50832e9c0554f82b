import type { RunView } from '@capstan/engine';
import { actionsOf, blockersOf, progressOf } from '@capstan/engine';
import type { OperationStatus as Status } from '@capstan/model';
import { Arg, Ctx, Field, FieldResolver, InputType, Int, Query, Resolver, Root } from 'type-graphql';
import { type Page, pageOf, pageSize } from './connection.js';
import type { GraphContext } from './context.js';
import { OperationStatus } from './enums.js';
import { EnvironmentType } from './environment.js';
import { valueOrError } from './loaders.js';
import { OperationConnectionType, OperationType, StageRunType } from './operation.js';
import { PlanType } from './plan.js';
import { AllowedActionType, BlockerType, ProgressType } from './progress.js';
import { ResourceObject } from './resource.js';

@InputType({ description: 'Everything that is given must fit.' })
export class OperationFilter {
  @Field(() => String, { nullable: true, description: 'Resource key.' })
  resource?: string | null;

  @Field(() => [OperationStatus], { nullable: true, description: 'One of them.' })
  status?: Status[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: only those that wait for a person; false: only others.',
  })
  needsAttention?: boolean | null;
}

@Resolver(() => OperationType)
export class OperationQueries {
  @Query(() => OperationType, { nullable: true, description: 'By id or number.' })
  async operation(
    @Arg('ref', () => String) ref: string,
    @Ctx() { loaders }: GraphContext,
  ): Promise<OperationType | null> {
    const row = await loaders.operation.load(ref);
    return row && OperationType.alone(row);
  }

  @Query(() => OperationConnectionType, { description: 'Newest first.' })
  async operations(
    @Arg('first', () => Int) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Arg('filter', () => OperationFilter, { nullable: true }) filter: OperationFilter | null | undefined,
    @Ctx() { control, actor }: GraphContext,
  ): Promise<Page<OperationType>> {
    const statuses = statusesOf(filter ?? {});
    const rows = await control.operations(actor, {
      first: pageSize(first) + 1,
      ...(typeof after === 'string' ? { before: after } : {}),
      ...(typeof filter?.resource === 'string' ? { subject: filter.resource } : {}),
      ...(statuses ? { statuses } : {}),
    });
    return pageOf(valueOrError(rows), first, (row) => row.id, OperationType.listed);
  }

  @FieldResolver(() => PlanType)
  async plan(@Root() { row }: OperationType, @Ctx() { loaders }: GraphContext): Promise<PlanType> {
    return PlanType.stored(await planOf(row.planId, loaders));
  }

  @FieldResolver(() => [StageRunType], { description: "In the plan's order." })
  async stages(
    @Root() operation: OperationType,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly StageRunType[]> {
    const view = await runOf(operation, loaders);
    const plan = view.plan ?? (await planOf(operation.row.planId, loaders)).plan;
    const planned = new Map(plan.stages.map((stage) => [stage.id, stage]));
    return view.stages.map((stage) => new StageRunType(stage, planned.get(stage.id)));
  }

  @FieldResolver(() => ProgressType)
  async progress(
    @Root() operation: OperationType,
    @Ctx() { loaders, now }: GraphContext,
  ): Promise<ProgressType> {
    return new ProgressType(progressOf(await runOf(operation, loaders), now));
  }

  @FieldResolver(() => [BlockerType], { description: 'What needs a person first; at most 20.' })
  async blockers(
    @Root() operation: OperationType,
    @Ctx() { loaders, now }: GraphContext,
  ): Promise<readonly BlockerType[]> {
    return blockersOf(await runOf(operation, loaders), now).map((one) => new BlockerType(one));
  }

  @FieldResolver(() => [AllowedActionType], { description: 'Every verb, allowed or not.' })
  async actions(
    @Root() operation: OperationType,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly AllowedActionType[]> {
    const [view, forbidden] = await Promise.all([runOf(operation, loaders), loaders.forbidden.load('run')]);
    return actionsOf(view, forbidden).map((one) => new AllowedActionType(one));
  }

  @FieldResolver(() => OperationType, { nullable: true, description: 'The one that this is a part of.' })
  async parent(
    @Root() { row }: OperationType,
    @Ctx() { loaders }: GraphContext,
  ): Promise<OperationType | null> {
    const parent = row.parentId === null ? null : await loaders.operation.load(row.parentId);
    return parent && OperationType.listed(parent);
  }

  @FieldResolver(() => [OperationType], { description: 'Its parts, oldest first.' })
  async children(
    @Root() { id }: OperationType,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly OperationType[]> {
    return (await loaders.children.load(id)).map(OperationType.listed);
  }

  @FieldResolver(() => EnvironmentType)
  environment(@Root() { row }: OperationType, @Ctx() { loaders }: GraphContext): Promise<EnvironmentType> {
    return loaders.environment.load(row.environment);
  }

  @FieldResolver(() => ResourceObject, { nullable: true })
  resource(@Root() { row }: OperationType, @Ctx() { loaders }: GraphContext): Promise<ResourceObject | null> {
    return loaders.resource.load(row.subject);
  }
}

/** The rows that projections need: read once with all nodes for an operation that was asked for alone. */
function runOf({ row, isWhole }: OperationType, loaders: GraphContext['loaders']): Promise<RunView> {
  return isWhole ? loaders.wholeRun.load(row) : loaders.openRun.load(row);
}

async function planOf(id: string, loaders: GraphContext['loaders']) {
  const stored = await loaders.plan.load(id);
  if (stored) return stored;
  throw new Error(`the plan ${id} of an operation is not stored`);
}

function statusesOf({ status, needsAttention }: OperationFilter): readonly Status[] | null {
  const wanted = status ?? null;
  if (typeof needsAttention !== 'boolean') return wanted;
  const all = wanted ?? (Object.values(OperationStatus) as Status[]);
  return all.filter((one) => (one === 'needs_attention') === needsAttention);
}
