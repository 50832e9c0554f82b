import { isEnd } from '@capstan/model';
import type { Client } from '@urql/core';
import { print } from 'graphql';
import type { ResultOf } from '../api/graphql';
import { type Connection, connect } from './connection';
import { operationEvents, operationNow } from './documents';
import { frameOf, frameOfState } from './frame-of';
import type { LiveSocket } from './live-socket';
import type { OperationStore } from './operation-store';
import { pollResult } from './poll-result';

export interface FollowOptions {
  readonly socket: LiveSocket;
  readonly client: Client;
  readonly store: OperationStore;
  /** Id of the operation. */
  readonly id: string;
  readonly locale: string;
}

const QUERY = print(operationEvents);

/** Feeds a store with everything that happens to an operation, until it is over or the caller stops. */
export function followOperation({ socket, client, store, id, locale }: FollowOptions): Connection {
  return connect({
    over: () => {
      const head = store.latestHead();
      return head !== null && isEnd(head.status);
    },
    open: (take, ended) =>
      socket.open(
        { query: QUERY, variables: { id, after: store.cursor(), locale } },
        (data) => {
          const frame = frameOf((data as ResultOf<typeof operationEvents>).operationEvents);
          if (store.receive(frame) === 'gap') ended({ kind: 'again' });
          else take(frame.at);
        },
        ended,
      ),
    poll: async (take) => {
      const after = store.cursor();
      const { data, error } = await client
        .query(operationNow, { ref: id, after, locale }, { requestPolicy: 'network-only' })
        .toPromise();
      if (error !== undefined || data?.operation == null) return pollResult(error);
      store.receive(frameOfState(data.operation, after, data.serverInfo.time));
      take(data.serverInfo.time);
      return 'taken';
    },
  });
}
