import type { Client } from '@urql/core';
import { print } from 'graphql';
import type { ResultOf } from '../api/graphql';
import { type Connection, connect } from './connection';
import { attemptLog, logPage } from './documents';
import type { LiveSocket } from './live-socket';
import type { LogStore } from './log-store';
import { pollResult } from './poll-result';

export interface FollowLogOptions {
  readonly socket: LiveSocket;
  readonly client: Client;
  readonly log: LogStore;
  readonly operation: string;
  readonly attempt: string;
}

const QUERY = print(attemptLog);

/** Feeds a log from its first byte on, until it has ended or the caller stops. */
export function followLog({ socket, client, log, operation, attempt }: FollowLogOptions): Connection {
  // Of the newest frame or page: whoever resumes says what was true of the bytes that he has.
  let etag: string | null = null;
  return connect({
    over: () => log.ended(),
    open: (take, ended) =>
      socket.open(
        { query: QUERY, variables: { id: attempt, after: log.cursor(), etag } },
        (data) => {
          const { attemptLog: frame } = data as ResultOf<typeof attemptLog>;
          etag = frame.etag;
          if (log.receive(frame) === 'gap') ended({ kind: 'again' });
          else take('');
        },
        ended,
      ),
    poll: async (take) => {
      for (;;) {
        const from = log.cursor();
        const { data, error } = await client
          .query(logPage, { operation, attempt, from }, { requestPolicy: 'network-only' })
          .toPromise();
        const page = data?.attemptLog;
        if (error !== undefined || page == null) return pollResult(error);
        const masked = etag !== null && etag !== page.etag && page.from > 0;
        etag = page.etag;
        // Stored bytes were masked since: what is here is void.
        if (masked) log.receive({ from: 0, to: 0, reset: true, text: '', end: false, gap: false, etag });
        else
          log.receive({
            from: page.from,
            to: page.next,
            reset: from === null,
            text: page.text,
            end: page.end,
            gap: page.missing,
            etag,
          });
        take('');
        if (!masked && (page.end || page.next === page.from)) return 'taken';
      }
    },
  });
}
