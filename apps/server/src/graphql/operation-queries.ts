import type { StoredOperation } from '@capstan/engine';
import { GraphQLError } from 'graphql';
import { Arg, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { AttemptConnectionType, AttemptType } from './attempt.js';
import { type Page, pageOf, pageOfAll, pageSize } from './connection.js';
import { type GraphContext, valueOrError } from './context.js';
import { EventConnectionType, OperationEventType } from './event.js';
import type { EventPage } from './event-gap.js';
import { EvidenceConnectionType, EvidenceType } from './evidence.js';
import { NodeRunType, OperationConnectionType, OperationType, StageRunType, stageRuns } from './operation.js';
import { PlanType } from './plan.js';
import { Sequence } from './scalars.js';

@Resolver(() => OperationType)
export class OperationQueries {
  @Query(() => OperationType, { nullable: true, description: 'By id or number.' })
  async operation(
    @Arg('ref', () => String) ref: string,
    @Ctx() context: GraphContext,
  ): Promise<OperationType | null> {
    const stored = await context.loaders.operation.load(ref);
    return 'plan' in stored ? OperationType.ofStored(stored) : null;
  }

  @Query(() => OperationConnectionType, { description: 'Newest first.' })
  async operations(
    @Arg('first', () => Int) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Arg('resource', () => String, { nullable: true }) resource: string | null | undefined,
    @Ctx() context: GraphContext,
  ): Promise<Page<OperationType>> {
    const rows = await context.control.operations(context.actor, {
      first: pageSize(first) + 1,
      ...(typeof after === 'string' ? { before: after } : {}),
      ...(typeof resource === 'string' ? { subject: resource } : {}),
    });
    return pageOf(valueOrError(rows), first, (row) => row.id, OperationType.ofSummary);
  }

  @FieldResolver(() => PlanType)
  async plan(@Root() operation: OperationType, @Ctx() context: GraphContext): Promise<PlanType> {
    return new PlanType((await storedOf(operation.id, context)).plan);
  }

  @FieldResolver(() => [StageRunType])
  async stages(
    @Root() operation: OperationType,
    @Ctx() context: GraphContext,
  ): Promise<readonly StageRunType[]> {
    const stored = await storedOf(operation.id, context);
    return stageRuns(stored.plan, valueOrError(await context.control.stages(context.actor, operation.id)));
  }

  @FieldResolver(() => [NodeRunType], { description: "In the plan's order." })
  async nodeRuns(
    @Root() operation: OperationType,
    @Arg('keys', () => [String], { nullable: true }) keys: string[] | null | undefined,
    @Ctx() context: GraphContext,
  ): Promise<readonly NodeRunType[]> {
    const { id, plan, nodes } = await storedOf(operation.id, context);
    const order = new Map(plan.nodes.map((node, index) => [node.key, index]));
    return nodes
      .filter((node) => keys?.includes(node.key) ?? true)
      .sort((a, b) => (order.get(a.key) ?? 0) - (order.get(b.key) ?? 0))
      .map((node) => new NodeRunType(id, node));
  }

  @FieldResolver(() => EventConnectionType, {
    description: 'In sequence order, without a gap, unless `gap` names one that retention left.',
  })
  async events(
    @Root() operation: OperationType,
    @Arg('first', () => Int) first: number,
    @Arg('after', () => Sequence, { nullable: true }) after: number | null | undefined,
    @Ctx() context: GraphContext,
  ): Promise<EventPage> {
    const rows = valueOrError(
      await context.control.events(context.actor, operation.id, after ?? 0, pageSize(first) + 1),
    );
    const page = pageOf(
      rows,
      first,
      (row) => String(row.event.sequence),
      (row) => new OperationEventType(row),
    );
    return { ...page, operationId: operation.id, after: after ?? 0 };
  }

  @FieldResolver(() => EvidenceConnectionType)
  async evidence(
    @Root() operation: OperationType,
    @Arg('first', () => Int) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Ctx() context: GraphContext,
  ): Promise<Page<EvidenceType>> {
    const rows = valueOrError(await context.control.evidence(context.actor, operation.id));
    return pageOfAll(
      rows,
      first,
      after,
      (row) => row.id,
      (row) => new EvidenceType(row),
    );
  }
}

@Resolver(() => NodeRunType)
export class NodeRunQueries {
  @FieldResolver(() => AttemptConnectionType, { description: 'Oldest first.' })
  async attempts(
    @Root() node: NodeRunType,
    @Arg('first', () => Int) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Ctx() context: GraphContext,
  ): Promise<Page<AttemptType>> {
    const rows = await context.loaders.attempts.load({ operationId: node.operationId, nodeKey: node.key });
    return pageOfAll(
      rows,
      first,
      after,
      (row) => String(row.number).padStart(9, '0'),
      (row) => new AttemptType(row),
    );
  }

  @FieldResolver(() => [EvidenceType], { description: 'Oldest first.' })
  async evidence(@Root() node: NodeRunType, @Ctx() context: GraphContext): Promise<readonly EvidenceType[]> {
    const rows = await context.loaders.evidence.load({ operationId: node.operationId, nodeKey: node.key });
    return rows.map((row) => new EvidenceType(row));
  }
}

async function storedOf(id: string, context: GraphContext): Promise<StoredOperation> {
  const stored = await context.loaders.operation.load(id);
  if ('plan' in stored) return stored;
  throw new GraphQLError('the operation was removed meanwhile', { extensions: { code: 'BAD_REQUEST' } });
}
