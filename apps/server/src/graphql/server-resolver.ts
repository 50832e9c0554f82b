import { Ctx, Field, FieldResolver, ObjectType, Query, Resolver } from 'type-graphql';
import type { GraphContext } from './context.js';
import { ActorType } from './event.js';
import { valueOrError } from './loaders.js';
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

  @Field(() => String, { description: 'Changes when the served files do: reload what was loaded before.' })
  buildId!: string;

  @Field(() => DateTime)
  time!: string;

  @Field(() => String, { description: 'IANA name.' })
  timeZone!: string;

  @Field(() => String, { description: '`sandbox` or `none`.' })
  lab!: string;

  @Field(() => [String], { description: 'Folders that packs are read from.' })
  packFolders!: readonly string[];
}

@Resolver(() => ServerInfoType)
export class ServerResolver {
  @Query(() => Viewer)
  viewer(@Ctx() { actor }: GraphContext): Viewer {
    return { actor };
  }

  @Query(() => ServerInfoType)
  serverInfo(@Ctx() { info, now }: GraphContext): ServerInfoType {
    return {
      ...info,
      time: now,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
  }

  @FieldResolver(() => String, {
    description:
      'Changes when the database was restored, failed over or rewound: sequences read before mean nothing then.',
  })
  async feedEpoch(@Ctx() { control, actor }: GraphContext): Promise<string> {
    return valueOrError(await control.feedEpoch(actor));
  }
}
