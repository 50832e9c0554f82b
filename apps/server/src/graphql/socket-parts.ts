import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Actor } from '@capstan/model';
import type { GraphQLSchema } from 'graphql';
import type { LiveHub } from '../live/live-hub.js';

/** Bounds of one socket, and of all. Times in ms, sizes in bytes. */
export interface SocketLimits {
  readonly sockets: number;
  readonly subscriptionsPerSocket: number;
  /** Of one message of a client, after inflating it. */
  readonly messageBytes: number;
  /** Messages from this size on are deflated, if the client can. */
  readonly deflateBytes: number;
  /** A client that sends on while so much waits for it to read is cut off. */
  readonly waitingBytes: number;
  readonly initMs: number;
  /** A client that answered nothing for one to two of these is cut off. */
  readonly pingMs: number;
  /** How often the credentials of each socket are looked at again. */
  readonly authenticateMs: number;
  /** How long a client may take to say goodbye when the server ends. */
  readonly closeMs: number;
}

export const SOCKET_LIMITS: SocketLimits = {
  sockets: 1_000,
  subscriptionsPerSocket: 50,
  messageBytes: 64 * 1024,
  // Measured: from 8 kB on, frames of a busy operation stay just below it and cost 4 MB a minute; from 1 kB on, a third.
  deflateBytes: 1024,
  waitingBytes: 1024 * 1024,
  initMs: 10_000,
  pingMs: 12_000,
  authenticateMs: 10_000,
  closeMs: 1_000,
};

/** Who sends a request with these headers; null for nobody known. */
export type Authenticate = (request: Pick<IncomingMessage, 'headers'>) => Promise<Actor | null>;

export interface LiveSocketParts {
  readonly schema: GraphQLSchema;
  readonly hub: LiveHub;
  readonly authenticate: Authenticate;
  /** Exact: a page of another origin may hold our cookie, and the browser would send it. No Origin header = no page. */
  readonly allowOrigin: (request: IncomingMessage) => boolean;
  readonly report: (what: string, error: unknown) => void;
  /** Whether the error says that the database is away, which passes. */
  readonly isAway: (error: unknown) => boolean;
  /** Takes an upgrade of another path, such as that of a development server; without it such are refused. */
  readonly otherUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  readonly limits?: Partial<SocketLimits>;
}
