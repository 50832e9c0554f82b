import { GraphQLError } from 'graphql';
import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import { ArtifactType } from './artifact.js';
import { AttemptType } from './attempt.js';
import type { GraphContext } from './context.js';
import { EvidenceType } from './evidence.js';
import { HostType } from './host.js';
import { valueOrError } from './loaders.js';
import { NodeType } from './node.js';
import { OperationType } from './operation.js';
import { PlanType } from './plan.js';
import { ResourceObject } from './resource.js';

const MOST = 100;

type Find = (context: GraphContext, ids: readonly string[]) => Promise<readonly NodeType[]>;

/** By the prefix of the id. Each is one call, however many are asked for. */
const KINDS: Readonly<Record<string, Find>> = {
  op: async ({ loaders }, ids) =>
    (await Promise.all(ids.map((id) => loaders.operation.load(id)))).flatMap((row) =>
      row ? [OperationType.alone(row)] : [],
    ),
  plan: async ({ loaders }, ids) =>
    (await Promise.all(ids.map((id) => loaders.plan.load(id)))).flatMap((one) =>
      one ? [PlanType.stored(one)] : [],
    ),
  att: async ({ control, actor }, ids) =>
    valueOrError(await control.attemptsById(actor, ids)).map((one) => new AttemptType(one)),
  ev: async ({ control, actor }, ids) =>
    valueOrError(await control.evidenceById(actor, ids)).map((one) => new EvidenceType(one)),
  art: async ({ control, actor }, ids) =>
    valueOrError(await control.artifactsById(actor, ids)).map((one) => new ArtifactType(one)),
  res: async ({ control, actor }, ids) =>
    valueOrError(await control.resources(actor, { ids })).map((one) => new ResourceObject(one)),
  host: async ({ control, actor }, ids) =>
    valueOrError(await control.hosts(actor)).flatMap((one) =>
      ids.includes(one.id) ? [new HostType(one)] : [],
    ),
};

@Resolver()
export class NodeResolver {
  @Query(() => NodeType, {
    nullable: true,
    description: 'Null: no such thing, or none that this viewer may see.',
  })
  async node(@Arg('id', () => ID) id: string, @Ctx() context: GraphContext): Promise<NodeType | null> {
    return (await find(context, [id]))[0] ?? null;
  }

  @Query(() => [NodeType], { nullable: 'items', description: `In the order of the ids, at most ${MOST}.` })
  nodes(
    @Arg('ids', () => [ID]) ids: string[],
    @Ctx() context: GraphContext,
  ): Promise<readonly (NodeType | null)[]> {
    if (ids.length > MOST)
      throw new GraphQLError(`ids: expected at most ${MOST}`, { extensions: { code: 'TOO_EXPENSIVE' } });
    return find(context, ids);
  }

  @Query(() => PlanType, {
    nullable: true,
    description: 'Null: no such plan, or not in that revision. Without a revision the one that is stored.',
  })
  async plan(
    @Arg('id', () => ID) id: string,
    @Arg('revision', () => Int, { nullable: true }) revision: number | null | undefined,
    @Ctx() { loaders }: GraphContext,
  ): Promise<PlanType | null> {
    const stored = await loaders.plan.load(id);
    return stored && (revision ?? stored.plan.revision) === stored.plan.revision
      ? PlanType.stored(stored)
      : null;
  }
}

async function find(context: GraphContext, ids: readonly string[]): Promise<(NodeType | null)[]> {
  const found = new Map<string, NodeType>();
  await Promise.all(
    Object.entries(KINDS).map(async ([prefix, kind]) => {
      const mine = ids.filter((id) => id.startsWith(`${prefix}_`));
      if (mine.length === 0) return;
      for (const one of await kind(context, mine)) found.set(one.id, one);
    }),
  );
  return ids.map((id) => found.get(id) ?? null);
}
