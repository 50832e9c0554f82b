import { nodeActionsOf } from '@capstan/engine';
import type { Fact, PlannedProof, Text } from '@capstan/model';
import { text } from '@capstan/model';
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Int, Resolver, Root } from 'type-graphql';
import { ArtifactConnectionType, ArtifactType } from './artifact.js';
import { AttemptConnectionType, AttemptType } from './attempt.js';
import { type Page, pageOf, pageOfAll, pageSize } from './connection.js';
import type { GraphContext } from './context.js';
import { EventConnectionType, OperationEventType } from './event.js';
import type { EventPage } from './event-gap.js';
import { EvidenceConnectionType, EvidenceType } from './evidence.js';
import { refuseLargeNesting } from './nesting.js';
import { NodeRunType, OperationType } from './operation.js';
import { AllowedActionType } from './progress.js';
import { Sequence } from './scalars.js';
import { fromText, TextType } from './text.js';

/** What an operation leaves behind: its nodes and everything that grows. */
@Resolver(() => OperationType)
export class OperationRecords {
  @FieldResolver(() => [NodeRunType], { description: "In the plan's order." })
  async nodeRuns(
    @Root() { row }: OperationType,
    @Arg('keys', () => [String], { nullable: true }) keys: string[] | null | undefined,
    @Ctx() { loaders }: GraphContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<readonly NodeRunType[]> {
    const { nodes } = await loaders.wholeRun.load(row);
    const wanted = keys ? new Set(keys) : null;
    const shown = nodes.filter((node) => wanted?.has(node.key) ?? true);
    refuseLargeNesting(info, shown.length);
    return shown.map((node) => new NodeRunType(row, node));
  }

  @FieldResolver(() => EventConnectionType, {
    description: 'In sequence order, without a gap, unless `gap` names one that retention left.',
  })
  async events(
    @Root() { id }: OperationType,
    @Arg('first', () => Int) first: number,
    @Arg('after', () => Sequence, { nullable: true }) after: number | null | undefined,
    @Ctx() { loaders }: GraphContext,
  ): Promise<EventPage> {
    const limit = pageSize(first) + 1;
    const rows = await loaders.events.load({ parent: id, after: after ?? 0, limit });
    const page = pageOf(
      rows,
      first,
      (row) => String(row.event.sequence),
      (row) => new OperationEventType(row),
    );
    return { ...page, operationId: id, after: after ?? 0 };
  }

  @FieldResolver(() => EvidenceConnectionType)
  async evidence(
    @Root() { id }: OperationType,
    @Arg('first', () => Int) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Ctx() { loaders }: GraphContext,
  ): Promise<Page<EvidenceType>> {
    const limit = pageSize(first) + 1;
    const rows = await loaders.evidencePage.load({ parent: id, after: after ?? null, limit });
    return pageOf(
      rows,
      first,
      (row) => row.id,
      (row) => new EvidenceType(row),
    );
  }

  @FieldResolver(() => ArtifactConnectionType, { description: 'What it made.' })
  async artifacts(
    @Root() { id }: OperationType,
    @Arg('first', () => Int) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Ctx() { loaders }: GraphContext,
  ): Promise<Page<ArtifactType>> {
    const limit = pageSize(first) + 1;
    const rows = await loaders.artifactsOfOperation.load({ parent: id, after: after ?? null, limit });
    return pageOf(
      rows,
      first,
      (row) => row.id,
      (row) => new ArtifactType(row),
    );
  }
}

@Resolver(() => NodeRunType)
export class NodeRunQueries {
  @FieldResolver(() => AttemptConnectionType, { description: 'Oldest first.' })
  async attempts(
    @Root() { operation, key }: NodeRunType,
    @Arg('first', () => Int) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Ctx() { loaders }: GraphContext,
  ): Promise<Page<AttemptType>> {
    const rows = await loaders.attempts.load({ operationId: operation.id, nodeKey: key });
    return pageOfAll(
      rows,
      first,
      after,
      (row) => String(row.number).padStart(9, '0'),
      (row) => new AttemptType(row),
    );
  }

  @FieldResolver(() => [EvidenceType], { description: 'Oldest first.' })
  async evidence(
    @Root() { operation, key }: NodeRunType,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly EvidenceType[]> {
    const rows = await loaders.evidence.load({ operationId: operation.id, nodeKey: key });
    return rows.map((row) => new EvidenceType(row));
  }

  @FieldResolver(() => TextType, {
    nullable: true,
    description: 'Why what it proved does not hold any more; null: it does, or nothing was proved.',
  })
  async stale(
    @Root() { operation, key, status }: NodeRunType,
    @Ctx() { loaders, now }: GraphContext,
  ): Promise<TextType | null> {
    if (status !== 'succeeded') return null;
    const { plan } = await loaders.wholeRun.load(operation);
    const proofs = plan?.nodes.find((node) => node.key === key)?.proofs ?? [];
    const facts = await loaders.facts.loadMany(proofs.map((proof) => proof.subject));
    for (const [index, proof] of proofs.entries()) {
      const known = facts[index];
      if (known instanceof Error) throw known;
      const why = staleness(
        proof,
        known?.find((fact) => fact.capability === proof.capability),
        now,
      );
      if (why) return fromText(why);
    }
    return null;
  }

  @FieldResolver(() => OperationType, {
    nullable: true,
    description: 'What runs for a node of kind `sub_operation`; null for every other node.',
  })
  async childOperation(
    @Root() { operation, key }: NodeRunType,
    @Ctx() { loaders }: GraphContext,
  ): Promise<OperationType | null> {
    const { plan } = await loaders.wholeRun.load(operation);
    const planned = plan?.nodes.find((node) => node.key === key);
    if (planned?.kind !== 'sub_operation') return null;
    const child = (await loaders.children.load(operation.id)).find((one) => one.subject === planned.target);
    return child ? OperationType.listed(child) : null;
  }

  @FieldResolver(() => [AllowedActionType], { description: 'Every verb, allowed or not.' })
  async actions(
    @Root() { operation, key }: NodeRunType,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly AllowedActionType[]> {
    const [view, forbidden] = await Promise.all([
      loaders.wholeRun.load(operation),
      loaders.forbidden.load('run'),
    ]);
    return nodeActionsOf(view, key, forbidden).map((one) => new AllowedActionType(one));
  }
}

function staleness(proof: PlannedProof, fact: Fact | undefined, now: string): Text | null {
  if (!fact) return null;
  const args = { capability: proof.capability, subject: proof.subject };
  if (fact.state === 'stale') return text('plan.fact_stale', { ...args, provedAt: fact.provedAt });
  if (fact.state === 'failed') return text('plan.fact_failed', args);
  if (fact.state === 'withdrawn') return text('plan.fact_withdrawn', args);
  if (fact.freshUntil !== null && fact.freshUntil <= now)
    return text('plan.fact_expired', { ...args, at: fact.freshUntil });
  return null;
}
