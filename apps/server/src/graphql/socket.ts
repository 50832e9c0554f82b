import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type CloseCode,
  GRAPHQL_TRANSPORT_WS_PROTOCOL,
  handleProtocols,
  makeServer,
  type Server as ProtocolServer,
} from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { type LiveSocketParts, SOCKET_LIMITS, type SocketLimits } from './socket-parts.js';
import { type LiveSession, subscriptionProtocol } from './subscription-protocol.js';

export interface LiveSockets {
  /** Bytes that wait for their clients to read, by socket. */
  waiting(): readonly number[];
  /** How many payloads were made so far: one for all who are told the same. */
  executions(): number;
  /** Ends every socket with "the service restarts": clients come back, and nothing here calls it a normal end. */
  close(): Promise<void>;
}

const RESTARTS = 1012;
const TRY_LATER = 1013;
const TEXT_ONLY = 1003;
const BROKEN = 1011;
const UNAUTHENTICATED = 4401;

interface Client {
  readonly session: LiveSession;
  alive: boolean;
}

/** Subscriptions on `/graphql` of this server, over graphql-transport-ws. The only file that knows sockets. */
export function attachLive(server: Server, parts: LiveSocketParts): LiveSockets {
  const limits: SocketLimits = { ...SOCKET_LIMITS, ...parts.limits };
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.messageBytes,
    handleProtocols,
    // A window of 8 kB spans the last frames, which are what the next one repeats; 32 kB would cost each socket 256 kB.
    perMessageDeflate: { concurrencyLimit: 4, serverMaxWindowBits: 13, zlibDeflateOptions: { memLevel: 7 } },
  });
  const clients = new Map<WebSocket, Client>();
  const { options, payloads } = subscriptionProtocol(parts, limits);
  const protocol = makeServer(options);
  let closing = false;

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // A client that goes away meanwhile is no error of ours.
    socket.on('error', () => socket.destroy());
    if (pathOf(request) !== '/graphql') {
      if (!parts.otherUpgrade?.(request, socket, head)) refuse(socket, 404, 'Not Found');
      return;
    }
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
    if (!offered.includes(GRAPHQL_TRANSPORT_WS_PROTOCOL)) return refuse(socket, 400, 'Bad Request');
    if (!parts.allowOrigin(request)) return refuse(socket, 403, 'Forbidden');
    if (closing || clients.size >= limits.sockets) return refuse(socket, 503, 'Service Unavailable');
    sockets.handleUpgrade(request, socket, head, (ws) => clients.set(ws, opened(ws, request)));
  };
  const opened = (ws: WebSocket, request: IncomingMessage): Client => {
    const client: Client = {
      alive: true,
      session: {
        request,
        actor: null,
        again: null,
        send: (message) => send(ws, message, limits.deflateBytes),
        later: () => ws.close(TRY_LATER, 'the database does not answer now'),
        unknown: () =>
          ws.close(UNAUTHENTICATED, 'expected a session, or an authorization in the first message'),
      },
    };
    ws.on('pong', () => {
      client.alive = true;
    });
    connect(ws, protocol, client.session, parts, limits, () => clients.delete(ws));
    return client;
  };
  const beat = setInterval(() => {
    for (const [ws, client] of clients) {
      // Nothing is read any more, or nobody is there: what waits for it must not wait for ever.
      if (!client.alive) ws.terminate();
      client.alive = false;
      ws.ping();
    }
  }, limits.pingMs);
  const look = setInterval(() => {
    for (const [ws, { session }] of clients) void lookAgain(ws, session, parts);
  }, limits.authenticateMs);
  beat.unref();
  look.unref();
  server.on('upgrade', upgrade);

  return {
    waiting: () => [...clients.keys()].map((ws) => ws.bufferedAmount),
    executions: () => payloads.executions,
    async close() {
      closing = true;
      clearInterval(beat);
      clearInterval(look);
      const ended = [...clients.keys()].map((ws) => new Promise((resolve) => ws.once('close', resolve)));
      for (const ws of clients.keys()) ws.close(RESTARTS, 'the server restarts');
      const patience = setTimeout(() => {
        for (const ws of clients.keys()) ws.terminate();
      }, limits.closeMs);
      await Promise.all(ended);
      clearTimeout(patience);
      // Until then it says 503 to who comes back too early, instead of nothing.
      server.off('upgrade', upgrade);
      sockets.close();
    },
  };
}

function connect(
  ws: WebSocket,
  protocol: ProtocolServer<LiveSession>,
  session: LiveSession,
  parts: LiveSocketParts,
  limits: SocketLimits,
  gone: () => void,
): void {
  let heard: (message: string) => Promise<void> = () => Promise.resolve();
  const closed = protocol.opened(
    {
      protocol: ws.protocol,
      send: session.send,
      close: (code, reason) => ws.close(code as CloseCode | undefined, reason),
      onMessage: (handler) => {
        heard = handler;
      },
    },
    session,
  );
  const failed = (error: unknown): void => {
    if (parts.isAway(error)) return session.later();
    const id = randomUUID();
    parts.report(`socket ${id} failed`, error);
    ws.close(BROKEN, `its id in the log is ${id}`);
  };
  ws.on('message', (data, isBinary) => {
    if (isBinary) return ws.close(TEXT_ONLY, 'text only');
    if (ws.bufferedAmount > limits.waitingBytes) return ws.terminate();
    heard(String(data)).catch(failed);
  });
  // Too large, no UTF-8, no frame at all: ws closes it with the right code itself.
  ws.on('error', () => undefined);
  ws.once('close', (code, reason) => {
    gone();
    closed(code, String(reason)).catch((error: unknown) => parts.report('a socket did not end', error));
  });
}

/** A session that ended, or a token that was withdrawn, ends what it opened. */
async function lookAgain(ws: WebSocket, session: LiveSession, parts: LiveSocketParts): Promise<void> {
  if (!session.again) return;
  try {
    if ((await session.again()) === null) ws.close(UNAUTHENTICATED, 'signed out');
  } catch (error) {
    if (!parts.isAway(error)) parts.report('credentials cannot be looked at again', error);
  }
}

/** Resolves when the kernel has it: whoever waits for this makes nothing more for a client that does not read. */
function send(ws: WebSocket, message: string, deflateBytes: number): Promise<void> {
  if (ws.readyState !== ws.OPEN) return Promise.resolve();
  // Said for each message: the library's own threshold counts only where every message is deflated by itself.
  const compress = message.length >= deflateBytes;
  return new Promise((resolve) => ws.send(message, { compress }, () => resolve()));
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0] ?? '';
}

function refuse(socket: Duplex, status: number, words: string): void {
  socket.end(`HTTP/1.1 ${status} ${words}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
