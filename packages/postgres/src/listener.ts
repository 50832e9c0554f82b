import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Access } from './pool.js';
import { clientConfig } from './pool.js';

type Handler = (payload: string) => void;

/** What one connection of this process hears, on every channel that somebody asked for. */
export interface Listener {
  /** Calls the handler for each message until the returned function is called. The channel is a fixed name. */
  listen(channel: string, handler: Handler): Promise<() => Promise<void>>;
  /** Called after each new connection but the first: what was said in between is lost. */
  onReconnect(handler: () => void): void;
  close(): Promise<void>;
}

/** Listens and stays listening: a lost connection is made again, with all its channels, for as long as it takes. */
export function createListener(access: Access): Listener {
  const channels = new Map<string, Set<Handler>>();
  const reconnected: (() => void)[] = [];
  const stopped = new AbortController();
  let client: pg.Client | null = null;
  let connecting: Promise<void> | null = null;

  const connect = async (first: boolean): Promise<void> => {
    for (let waitMs = 50; !stopped.signal.aborted; waitMs = Math.min(waitMs * 2, 2000)) {
      const fresh = new pg.Client(clientConfig(access));
      // Losing it may be told by either, or both.
      const lost = () => {
        if (client !== fresh) return;
        client = null;
        connecting = connect(false);
      };
      fresh.on('error', lost);
      fresh.on('end', lost);
      fresh.on('notification', ({ channel, payload = '' }) => {
        for (const handler of channels.get(channel) ?? []) handler(payload);
      });
      try {
        await fresh.connect();
        for (const channel of channels.keys()) await fresh.query(`listen ${channel}`);
        if (stopped.signal.aborted) return void (await fresh.end());
        client = fresh;
        if (!first) for (const handler of reconnected) handler();
        return;
      } catch (error) {
        access.log(`cannot listen to the database, trying again: ${(error as Error).message}`);
        await fresh.end().catch(() => undefined);
        await sleep(waitMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      }
    }
  };

  const say = async (statement: string): Promise<void> => {
    connecting ??= connect(true);
    await connecting;
    // A connection that broke meanwhile says all its channels again when it is back.
    await client?.query(statement).catch((error: Error) => access.log(`${statement}: ${error.message}`));
  };

  return {
    async listen(channel, handler) {
      const handlers = channels.get(channel) ?? new Set();
      channels.set(channel, handlers.add(handler));
      await say(`listen ${channel}`);
      return async () => {
        handlers.delete(handler);
        if (handlers.size === 0 && channels.delete(channel)) await say(`unlisten ${channel}`);
      };
    },
    onReconnect: (handler) => void reconnected.push(handler),
    async close() {
      stopped.abort();
      const last = client;
      client = null;
      await last?.end().catch(() => undefined);
      await connecting;
    },
  };
}
