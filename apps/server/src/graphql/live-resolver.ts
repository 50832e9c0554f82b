import type { Actor, Problem } from '@capstan/model';
import { type Outcome, renderText } from '@capstan/model';
import { GraphQLError } from 'graphql';
import { Arg, ID, Resolver, Root, Subscription } from 'type-graphql';
import type { LiveHub } from '../live/live-hub.js';
import type { LogFrame } from '../live/log-feed.js';
import type { OperationFrame } from '../live/operation-feed.js';
import { LogFrameType, OperationFrameType } from './live-frames.js';
import { ByteOffset, Sequence } from './scalars.js';

/** Who subscribes. Below a frame there is no context at all: nothing there may read anything. */
export interface LiveContext {
  readonly actor: Actor;
  readonly live: LiveHub;
}

interface SubscribeCall<A> {
  readonly args: A;
  readonly context: LiveContext;
}

@Resolver()
export class LiveResolver {
  @Subscription(() => OperationFrameType, {
    description:
      'Everything, then what changes, then nothing but an empty frame every 5 s. It completes only when the operation is over and all of it was sent.',
    subscribe: async ({ args, context }: SubscribeCall<{ id: string; after?: number | null }>) =>
      watchOrRefuse(await context.live.watchOperation(context.actor, args.id, args.after ?? null)),
  })
  operationEvents(
    @Root() frame: OperationFrame | undefined,
    @Arg('id', () => ID, { description: 'Id or number.' }) _id: string,
    @Arg('after', () => Sequence, {
      nullable: true,
      description: 'The `to` of your last frame; null = you have nothing.',
    })
    _after: number | null | undefined,
  ): OperationFrameType {
    return new OperationFrameType(frameOf(frame));
  }

  @Subscription(() => LogFrameType, {
    description: 'The output of an attempt as it grows. It completes at its end.',
    subscribe: async ({
      args,
      context,
    }: SubscribeCall<{ id: string; after?: number | null; etag?: string | null }>) =>
      watchOrRefuse(
        await context.live.watchLog(context.actor, args.id, args.after ?? null, args.etag ?? null),
      ),
  })
  attemptLog(
    @Root() frame: LogFrame | undefined,
    @Arg('id', () => ID) _id: string,
    @Arg('after', () => ByteOffset, {
      nullable: true,
      description: 'The `to` of your last frame, or where to begin; null = from the first byte.',
    })
    _after: number | null | undefined,
    @Arg('etag', () => String, {
      nullable: true,
      description: 'That of your last frame: were bytes masked meanwhile, everything comes anew.',
    })
    _etag: string | null | undefined,
  ): LogFrameType {
    return new LogFrameType(frameOf(frame));
  }
}

/** Sent as a request, a subscription is executed like a query, with no frame to show. */
function frameOf<T>(frame: T | undefined): T {
  if (frame !== undefined) return frame;
  throw new GraphQLError('subscriptions run over the WebSocket at /graphql', {
    extensions: { code: 'BAD_REQUEST' },
  });
}

function watchOrRefuse<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw refusedWatch(outcome.problems);
}

/** A subscription has no result union: what it refuses is an error that carries the problem as data. */
export function refusedWatch(problems: readonly Problem[]): GraphQLError {
  const [problem] = problems;
  return new GraphQLError(problem ? renderText(problem.text) : 'refused', {
    extensions: { code: 'BAD_REQUEST', problem: problem && { code: problem.code, text: problem.text } },
  });
}
