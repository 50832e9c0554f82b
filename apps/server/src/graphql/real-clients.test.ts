import 'reflect-metadata';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { ApolloClient, ApolloLink, gql, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { startFileDatabase } from '@capstan/postgres/testing';
import { createClient as createUrql, subscriptionExchange } from '@urql/core';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import {
  DrivenOperation,
  Follower,
  FRAMES,
  type ServedLive,
  serveLive,
  statuses,
  TOKEN,
  truth,
  until,
  type WireFrame,
} from '../live/live.test-support.js';

// Apollo's link looks at the global one, which Node has from 22 on.
Object.assign(globalThis, { WebSocket });
const { database: db } = await startFileDatabase();

interface Data {
  readonly operationEvents: WireFrame;
}

interface Sink {
  next(data: Data): void;
  error(error: unknown): void;
  complete(): void;
}

/** One client: how it subscribes to the frames of an operation. */
type Subscribe = (served: ServedLive, id: string, sink: Sink) => void;

function socketClient({ url }: ServedLive) {
  return createClient({
    url,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${TOKEN}` },
  });
}

const CLIENTS: readonly (readonly [string, Subscribe])[] = [
  [
    'graphql-ws',
    (served, id, sink) =>
      socketClient(served).subscribe<Data>(
        { query: FRAMES, variables: { id } },
        { ...sink, next: ({ data }) => sink.next(data as Data) },
      ),
  ],
  [
    'Apollo Client',
    (served, id, sink) => {
      const client = new ApolloClient({
        link: ApolloLink.from([new GraphQLWsLink(socketClient(served))]),
        cache: new InMemoryCache(),
      });
      // Frames are no entities: rows of two frames must not be merged into one.
      client.subscribe({ query: gql(FRAMES), variables: { id }, fetchPolicy: 'no-cache' }).subscribe({
        ...sink,
        next: ({ data, error }) => (error ? sink.error(error) : sink.next(data as unknown as Data)),
      });
    },
  ],
  [
    'urql',
    (served, id, sink) => {
      const sockets = socketClient(served);
      const client = createUrql({
        url: served.url.replace(/^ws/, 'http'),
        preferGetMethod: false,
        exchanges: [
          subscriptionExchange({
            forwardSubscription: (request) => ({
              subscribe: (to) => ({
                unsubscribe: sockets.subscribe({ ...request, query: request.query ?? '' }, to as never),
              }),
            }),
          }),
        ],
      });
      const { unsubscribe } = client.subscription<Data>(FRAMES, { id }).subscribe((result) => {
        if (result.error) return sink.error(result.error);
        if (result.data) sink.next(result.data);
        if (result.data?.operationEvents.operation.status === 'succeeded') {
          unsubscribe();
          sink.complete();
        }
      });
    },
  ],
];

for (const [name, subscribe] of CLIENTS) {
  test(`${name} follows an operation from its first frame to its end`, async (t) => {
    const served = await serveLive(t, db);
    const operation = await DrivenOperation.start(db, `c-${name.replace(/\W/g, '').toLowerCase()}`, [
      'a',
      'b',
    ]);
    const follower = new Follower();
    const over = new Promise<void>((resolve, reject) =>
      subscribe(served, operation.id, {
        next: ({ operationEvents }) => follower.take(operationEvents),
        error: reject,
        complete: resolve,
      }),
    );
    await until('the first frame', () => follower.to !== null);
    await operation.finish();
    await over;
    assert.deepEqual(follower.faults, []);
    assert.equal(follower.to, operation.sequence);
    assert.deepEqual(statuses(follower.nodes), truth(operation));
    assert.deepEqual(served.reported, []);
  });

  test(`${name} is told a refusal as an error that it can match on`, async (t) => {
    const served = await serveLive(t, db);
    const refusal = await new Promise<unknown>((resolve) =>
      subscribe(served, 'op-999999', {
        next: () => resolve('a frame'),
        error: resolve,
        complete: () => resolve('the end'),
      }),
    );
    assert.match(inspect(refusal, { depth: 8, showHidden: true }), /code\W+not_found/);
  });
}
