import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Actor } from '@capstan/model';
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  parse,
  validate,
} from 'graphql';
import type { ServerOptions } from 'graphql-ws';
import { WatchRefused } from '../live/watch.js';
import { FramePayloads, type Selection, selectionOf } from './frame-payloads.js';
import { judgeRequest, REQUEST_LIMITS } from './limits.js';
import { type LiveContext, refusedWatch } from './live-resolver.js';
import type { LiveSocketParts, SocketLimits } from './socket-parts.js';

/** What is known of the client of one socket. */
export interface LiveSession {
  readonly request: IncomingMessage;
  /** Null until it said who it is. */
  actor: Actor | null;
  /** Looks at its credentials again. */
  again: (() => Promise<Actor | null>) | null;
  /** Resolves when the message left this process. */
  readonly send: (message: string) => Promise<void>;
  /** Ends a socket without credentials. */
  readonly unknown: () => void;
  /** Sends the client away for now: a subscription that failed is over, one whose socket ended is tried again. */
  readonly later: () => void;
}

type Params = Record<string, unknown> | undefined;

/** A subscription under way: where its frames go. */
interface Running extends LiveContext {
  readonly selection: Selection;
  /** Takes the payload of a `next` message as JSON. */
  readonly deliver: (payload: string) => Promise<void>;
  readonly later: () => void;
}

/** How this server speaks graphql-transport-ws: who may connect, what may be asked, and how frames are sent. */
export function subscriptionProtocol(
  parts: LiveSocketParts,
  limits: SocketLimits,
): { readonly options: ServerOptions<Params, LiveSession>; readonly payloads: FramePayloads } {
  const documents = new DocumentCache(parts.schema);
  const formatted = (error: GraphQLError): GraphQLError => formatError(error, parts.report);
  const payloads = new FramePayloads(formatted);
  const options: ServerOptions<Params, LiveSession> = {
    connectionInitWaitTimeout: limits.initMs,
    async onConnect({ connectionParams, extra }) {
      extra.again = credentials(parts, extra.request, connectionParams);
      extra.actor = await extra.again();
      if (extra.actor === null) {
        extra.unknown();
        return false;
      }
      return { feedEpoch: await parts.hub.epoch() };
    },
    onSubscribe({ subscriptions, extra }, id, payload) {
      if (Object.keys(subscriptions).length > limits.subscriptionsPerSocket)
        return [refusal('TOO_EXPENSIVE', `more than ${limits.subscriptionsPerSocket} subscriptions`)];
      const variables = payload.variables ?? {};
      const refused = judgeRequest(payload.query, variables);
      if (refused) return [refusal(refused.code, refused.message)];
      const document = documents.of(payload.query);
      if ('errors' in document) return document.errors.map(formatted);
      if (getOperationAST(document.document, payload.operationName)?.operation !== 'subscription')
        return [refusal('BAD_REQUEST', 'only subscriptions here: send the rest as POST /graphql')];
      const args: ExecutionArgs = {
        schema: parts.schema,
        document: document.document,
        variableValues: variables,
        operationName: payload.operationName,
      };
      const running: Running = {
        actor: extra.actor as Actor,
        live: parts.hub,
        selection: selectionOf(args, payload.query),
        // The id is the client's own: it is quoted, and the payload behind it is everybody's.
        later: extra.later,
        deliver: (json) => extra.send(`{"id":${JSON.stringify(id)},"type":"next","payload":${json}}`),
      };
      return { ...args, contextValue: running };
    },
    subscribe: (args) => new Sending(args as ExecutionArgs, payloads, parts.isAway),
    onError: (_session, _id, _payload, errors) =>
      errors.map((error) => formatted(error as GraphQLError).toJSON()),
  };
  return { options, payloads };
}

/** By the headers of the upgrade, such as the cookie of a session, else by what the client sends first. */
function credentials(
  { authenticate }: LiveSocketParts,
  request: IncomingMessage,
  params: Params,
): () => Promise<Actor | null> {
  const authorization = params?.authorization;
  return async () =>
    (await authenticate(request)) ??
    (typeof authorization === 'string' ? await authenticate({ headers: { authorization } }) : null);
}

/**
 * Sends the frames of one subscription itself and gives graphql-ws nothing but their end or their error: it would
 * stringify each frame again for each socket. The next frame is made when the last one has left.
 */
class Sending implements AsyncGenerator<never, undefined, undefined> {
  #source: AsyncIterator<object> | null = null;
  #ended = false;

  constructor(
    private readonly args: ExecutionArgs,
    private readonly payloads: FramePayloads,
    private readonly isAway: (error: unknown) => boolean,
  ) {}

  async next(): Promise<IteratorResult<never, undefined>> {
    const { selection, deliver, later } = this.args.contextValue as Running;
    try {
      this.#source ??= await this.#open();
      while (!this.#ended) {
        const frame = await this.#source.next();
        if (frame.done) break;
        const payload = await this.payloads.of(frame.value, selection);
        if (!this.#ended) await deliver(payload);
      }
    } catch (error) {
      if (!this.isAway(causeOf(error)))
        throw error instanceof WatchRefused ? refusedWatch(error.problems) : error;
      later();
    } finally {
      await this.return();
    }
    return END;
  }

  async return(): Promise<IteratorResult<never, undefined>> {
    this.#ended = true;
    await this.#source?.return?.();
    return END;
  }

  async throw(error: unknown): Promise<IteratorResult<never, undefined>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #open(): Promise<AsyncIterator<object>> {
    const source = await createSourceEventStream(this.args);
    if (Symbol.asyncIterator in source) return (source as AsyncIterable<object>)[Symbol.asyncIterator]();
    throw source.errors?.[0] ?? new GraphQLError('nothing to subscribe to');
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? causeOf(error.originalError) : error;
}

const END: IteratorReturnResult<undefined> = { value: undefined, done: true };

type CachedDocument = { readonly document: DocumentNode } | { readonly errors: readonly GraphQLError[] };

/** Documents that passed validation: the same few come with every reconnect, from every page. */
class DocumentCache {
  readonly #known = new Map<string, DocumentNode>();

  constructor(private readonly schema: GraphQLSchema) {}

  of(source: string): CachedDocument {
    const known = this.#known.get(source);
    if (known) return { document: known };
    let document: DocumentNode;
    try {
      document = parse(source, { maxTokens: REQUEST_LIMITS.tokens });
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error] };
      throw error;
    }
    const errors = validate(this.schema, document);
    if (errors.length > 0) return { errors };
    if (this.#known.size >= DOCUMENTS) this.#known.clear();
    this.#known.set(source, document);
    return { document };
  }
}

const DOCUMENTS = 200;

function refusal(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}

/** What was not expected leaves as an id; what the client did wrong leaves as it is. */
function formatError(error: GraphQLError, report: LiveSocketParts['report']): GraphQLError {
  const { message, locations, path, originalError, extensions } = error;
  if (typeof extensions.code === 'string') return error;
  if (!originalError || originalError instanceof GraphQLError)
    return new GraphQLError(message, {
      nodes: error.nodes,
      ...(path ? { path } : {}),
      ...(locations && error.source ? { source: error.source, positions: error.positions } : {}),
      extensions: { code: 'BAD_REQUEST' },
    });
  const correlationId = randomUUID();
  report(`subscription ${correlationId} failed at ${path?.join('.') ?? 'the request itself'}`, originalError);
  return new GraphQLError(`something broke here; its id in the log is ${correlationId}`, {
    extensions: { code: 'INTERNAL', correlationId },
  });
}
