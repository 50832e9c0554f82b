import { Ctx, Field, ObjectType, Query, Resolver } from 'type-graphql';
import type { GraphContext } from './context.js';
import { ActorType } from './event.js';
import { DateTime } from './scalars.js';

@ObjectType({ description: 'Who asks.' })
export class Viewer {
  @Field(() => ActorType)
  actor!: ActorType;
}

@ObjectType('ServerInfo')
export class ServerInfoType {
  @Field(() => String)
  version!: string;

  @Field(() => DateTime)
  time!: string;

  @Field(() => String, { description: 'IANA name.' })
  timeZone!: string;

  @Field(() => String, { description: '`sandbox` or `none`.' })
  lab!: string;

  @Field(() => [String], { description: 'Folders that packs are read from.' })
  packFolders!: readonly string[];
}

@Resolver()
export class ServerResolver {
  @Query(() => Viewer)
  viewer(@Ctx() { actor }: GraphContext): Viewer {
    return { actor };
  }

  @Query(() => ServerInfoType)
  serverInfo(@Ctx() { info }: GraphContext): ServerInfoType {
    return {
      ...info,
      time: new Date().toISOString(),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
  }
}
