import type { Server } from 'node:http';
import { Watching } from '@capstan/engine';
import { type Database, isLostConnection } from '@capstan/postgres';
import type { RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import { attachLive } from '../graphql/socket.js';
import type { Authenticate, LiveSocketParts } from '../graphql/socket-parts.js';
import { LiveHub } from '../live/live-hub.js';
import { rawLogHandler } from '../live/raw-log.js';

export interface LiveParts
  extends Pick<LiveSocketParts, 'schema' | 'allowOrigin' | 'report' | 'otherUpgrade'> {
  readonly schema: GraphQLSchema;
  readonly authenticate: Authenticate;
}

/** What of the API stays open: subscriptions and the raw output of attempts. */
export interface Live {
  /** For `/logs`. */
  readonly rawLog: RequestHandler;
  /** Takes the upgrades of this server. */
  attach(server: Server): void;
  /** Sends clients away so that they come back; before the server itself is closed. */
  stop(): Promise<void>;
}

/** Begins to hear of changes. */
export async function openLive(database: Database, parts: LiveParts): Promise<Live> {
  const { live, logs, watchFeed } = database;
  const watching = new Watching({ live, logs });
  const hub = new LiveHub({ live, watching, watchFeed, report: parts.report });
  await hub.start();
  const attached: { close(): Promise<void> }[] = [];
  return {
    rawLog: rawLogHandler({ watching, authenticate: parts.authenticate }),
    attach: (server) => void attached.push(attachLive(server, { ...parts, hub, isAway: isLostConnection })),
    async stop() {
      await Promise.all(attached.map((sockets) => sockets.close()));
      await hub.stop();
    },
  };
}
