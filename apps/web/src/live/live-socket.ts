import { type Client, createClient, type FormattedExecutionResult } from 'graphql-ws';
import type { Stream, StreamEnd } from './stream-loop';

/** One WebSocket to `/graphql`, opened by the first stream and closed after the last. */
export interface LiveSocket {
  /** Runs a subscription; `ended` is called once, unless the stream was stopped here. */
  open(request: LiveRequest, take: (data: unknown) => void, ended: (end: StreamEnd) => void): Stream;
}

export interface LiveRequest {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

export interface LiveSocketOptions {
  readonly url: string | (() => string);
  /** For tests outside a browser. */
  readonly webSocket?: unknown;
  /** Silence that means a dead socket, in ms; the server speaks every 5 s. */
  readonly silenceMs?: number;
}

/**
 * Makes a socket. graphql-ws's own retries are off: they would ask again with the old cursor, and what a stream resumes
 * from is known to its receiver only.
 */
export function createLiveSocket({ url, webSocket, silenceMs = 12_000 }: LiveSocketOptions): LiveSocket {
  const client: Client = createClient({
    url,
    ...(webSocket === undefined ? {} : { webSocketImpl: webSocket }),
    lazy: true,
    // Another attempt's log opens while the former one closes: that is no reason to connect anew.
    lazyCloseTimeout: 3_000,
    retryAttempts: 0,
    shouldRetry: () => false,
    // A server that takes the connection and says nothing is as gone as one that does not.
    connectionAckWaitTimeout: silenceMs,
    keepAlive: silenceMs / 3,
    on: {
      // A cut cable closes nothing: without an answer to a ping the socket is given up.
      ping: (received) => {
        if (!received) silence = setTimeout(() => client.terminate(), silenceMs);
      },
      pong: (received) => {
        if (received) clearTimeout(silence);
      },
      message: () => clearTimeout(silence),
      closed: () => clearTimeout(silence),
    },
  });
  let silence: ReturnType<typeof setTimeout> | undefined;

  return {
    open(request, take, ended) {
      let stopped = false;
      const stop = client.subscribe<Record<string, unknown>>(request, {
        next: (result) => {
          if (stopped) return;
          const refused = refusalOf(result);
          if (refused === null) return take(result.data);
          stopped = true;
          stop();
          ended(refused);
        },
        error: (error) => {
          if (!stopped) ended(endOf(error));
          stopped = true;
        },
        complete: () => {
          if (!stopped) ended({ kind: 'complete' });
          stopped = true;
        },
      });
      return {
        stop() {
          stopped = true;
          stop();
        },
      };
    },
  };
}

function refusalOf(result: FormattedExecutionResult<Record<string, unknown>, unknown>): StreamEnd | null {
  const [error] = result.errors ?? [];
  return error === undefined ? null : refused(error);
}

function refused(error: { message: string; extensions?: unknown }): StreamEnd {
  const extensions = error.extensions as { code?: unknown } | undefined;
  return {
    kind: 'refused',
    message: error.message,
    code: typeof extensions?.code === 'string' ? extensions.code : null,
  };
}

/** graphql-ws hands over a close event, a list of GraphQL errors, or whatever was thrown. */
function endOf(error: unknown): StreamEnd {
  if (Array.isArray(error) && error.length > 0) return refused(error[0]);
  const { code, reason, message } = (error ?? {}) as { code?: unknown; reason?: unknown; message?: unknown };
  return {
    kind: 'lost',
    code: typeof code === 'number' ? code : null,
    reason: String(reason || message || ''),
  };
}
