import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { GraphContext } from './context.js';
import { EnvironmentType } from './environment.js';
import { HostType } from './host.js';
import { OperationType } from './operation.js';
import { ResourceObject } from './resource.js';

/** The environment of everything that is in one; the names are in its row, the kinds are loaded once per request. */
@Resolver(() => OperationType)
export class OperationEnvironment {
  @FieldResolver(() => EnvironmentType)
  environment(@Root() operation: OperationType, @Ctx() { loaders }: GraphContext): Promise<EnvironmentType> {
    return loaders.environment.load(operation.environmentName);
  }

  @FieldResolver(() => ResourceObject, { nullable: true })
  resource(
    @Root() operation: OperationType,
    @Ctx() { loaders }: GraphContext,
  ): Promise<ResourceObject | null> {
    return loaders.resource.load(operation.resourceKey);
  }
}

@Resolver(() => ResourceObject)
export class ResourceEnvironment {
  @FieldResolver(() => EnvironmentType)
  environment(@Root() resource: ResourceObject, @Ctx() { loaders }: GraphContext): Promise<EnvironmentType> {
    return loaders.environment.load(resource.environmentName);
  }
}

@Resolver(() => HostType)
export class HostEnvironment {
  @FieldResolver(() => EnvironmentType)
  environment(@Root() host: HostType, @Ctx() { loaders }: GraphContext): Promise<EnvironmentType> {
    return loaders.environment.load(host.environmentName);
  }
}
