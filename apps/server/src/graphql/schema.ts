import { type GraphQLSchema, isInputObjectType, lexicographicSortSchema, printSchema } from 'graphql';
import { buildSchema, type PubSub } from 'type-graphql';
import { ArtifactValue } from './artifact.js';
import { ArtifactResolver } from './artifact-resolver.js';
import { AttemptLogResolver } from './attempt-log.js';
import { CatalogResolver } from './catalog-resolver.js';
import { DocumentResolver } from './document.js';
import { EventGapResolver } from './event-gap.js';
import { EvidenceQuestion } from './evidence.js';
import { InventoryResolver } from './inventory-resolver.js';
import { LiveResolver } from './live-resolver.js';
import { MaintenanceResolver } from './maintenance-resolver.js';
import { NodeResolver } from './node-resolver.js';
import { OperationMutations } from './operation-mutations.js';
import { OperationQueries } from './operation-queries.js';
import { NodeRunQueries, OperationRecords } from './operation-records.js';
import { HostParts, ResourceParts } from './placement-resolver.js';
import { ServerResolver } from './server-resolver.js';

/** Subscriptions here have a source of their own; type-graphql wants this one all the same. */
const NO_TOPICS: PubSub = {
  publish() {
    throw new Error('subscriptions have no topics');
  },
  subscribe() {
    throw new Error('subscriptions have no topics');
  },
};

/** The schema from its classes. */
export async function createSchema(): Promise<GraphQLSchema> {
  const schema = await buildSchema({
    resolvers: [
      LiveResolver,
      ServerResolver,
      NodeResolver,
      OperationQueries,
      OperationRecords,
      EventGapResolver,
      NodeRunQueries,
      OperationMutations,
      AttemptLogResolver,
      InventoryResolver,
      CatalogResolver,
      ArtifactResolver,
      DocumentResolver,
      MaintenanceResolver,
      ResourceParts,
      HostParts,
      ArtifactValue,
      EvidenceQuestion,
    ],
    validate: false,
    pubSub: NO_TOPICS,
  });
  // type-graphql knows no oneOf inputs yet; graphql does, in printing and in validation.
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInputObjectType(type) && type.extensions.oneOf === true) type.isOneOf = true;
  }
  return schema;
}

/** The schema as text, in an order that does not depend on the classes' order. */
export function printedSchema(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
