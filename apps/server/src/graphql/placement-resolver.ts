import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { ArtifactConnectionType, ArtifactType } from './artifact.js';
import { type Page, pageOf, pageSize } from './connection.js';
import type { GraphContext } from './context.js';
import { EnvironmentType } from './environment.js';
import { HostType } from './host.js';
import { OperationConnectionType, OperationType } from './operation.js';
import { FactType, factTypes, ResourceObject } from './resource.js';

/** What belongs to a resource; a host is one, with a connection record beside it. */
@Resolver(() => ResourceObject)
export class ResourceParts {
  @FieldResolver(() => EnvironmentType)
  environment(@Root() resource: ResourceObject, @Ctx() { loaders }: GraphContext): Promise<EnvironmentType> {
    return loaders.environment.load(resource.environmentName);
  }

  @FieldResolver(() => [FactType], { description: 'Ordered by capability.' })
  async facts(
    @Root() { key }: ResourceObject,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly FactType[]> {
    return factTypes(await loaders.facts.load(key));
  }

  @FieldResolver(() => ArtifactConnectionType, {
    description: 'Of each name the newest version that outlives its operation.',
  })
  async artifacts(
    @Root() { key }: ResourceObject,
    @Arg('first', () => Int) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Ctx() { loaders }: GraphContext,
  ): Promise<Page<ArtifactType>> {
    const limit = pageSize(first) + 1;
    const rows = await loaders.artifactsOfOwner.load({ parent: key, after: after ?? null, limit });
    return pageOf(
      rows,
      first,
      (row) => row.id,
      (row) => new ArtifactType(row),
    );
  }

  @FieldResolver(() => OperationConnectionType, { description: 'Newest first.' })
  async operations(
    @Root() { key }: ResourceObject,
    @Arg('first', () => Int) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Ctx() { loaders }: GraphContext,
  ): Promise<Page<OperationType>> {
    const limit = pageSize(first) + 1;
    const rows = await loaders.operationsOf.load({ parent: key, after: after ?? null, limit });
    return pageOf(rows, first, (row) => row.id, OperationType.listed);
  }
}

@Resolver(() => HostType)
export class HostParts {
  @FieldResolver(() => EnvironmentType)
  environment(@Root() host: HostType, @Ctx() { loaders }: GraphContext): Promise<EnvironmentType> {
    return loaders.environment.load(host.environmentName);
  }

  @FieldResolver(() => [FactType], { description: 'Ordered by capability.' })
  async facts(@Root() { key }: HostType, @Ctx() { loaders }: GraphContext): Promise<readonly FactType[]> {
    return factTypes(await loaders.facts.load(key));
  }

  @FieldResolver(() => ResourceObject, { nullable: true })
  resource(@Root() { key }: HostType, @Ctx() { loaders }: GraphContext): Promise<ResourceObject | null> {
    return loaders.resource.load(key);
  }
}
