import type { Socket } from 'node:net';
import type { Blocked, HostConnection } from '@capstan/engine';
import { reason } from '@capstan/model';
import type { Client, ClientChannel } from 'ssh2';
import { type ConnectOptions, connectHost } from './connection.js';
import type { HostKeyKind } from './host-key.js';

export interface LinkOptions extends ConnectOptions {
  readonly channelTimeoutMs: number;
  readonly idleMs: number;
  readonly maxChannels: number;
}

/** `long` channels follow an attempt for as long as it runs; two places are kept for the short ones, a cancel above all. */
export type ChannelUse = 'short' | 'long';

export interface OpenChannel {
  readonly kind: 'open';
  readonly channel: ClientChannel;
  /** Why the connection under the channel ended, once it has. */
  lost(): string | null;
  /** Ends the connection under the channel, so that the next channel is opened by a new login. */
  renew(): void;
  /** Gives the place back; must be called once the channel is not used any more. */
  release(): void;
}

/** Tries at the door of a host, with pauses in between that grow from 200 ms. */
const DOOR_TRIES = 6;
const OPEN_TRIES = 8;
const KEPT_FOR_SHORT = 2;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;
/** After this long without a refused channel one more is tried again. */
const LIMIT_RECOVERS_MS = 30_000;

/** The one connection to a host that everyone in this process shares. It opens when it is needed and closes when it is idle. */
export class HostLink {
  #current: Promise<{ readonly client: Client } | Blocked> | null = null;
  readonly #clients = new Map<Client, Socket>();
  readonly #closing = new AbortController();
  #keyKind: HostKeyKind | null = null;
  readonly #open = { short: 0, long: 0 };
  #limit: number;
  #limitedAt = 0;
  readonly #waiting: Waiter[] = [];
  #idle: NodeJS.Timeout | null = null;

  constructor(
    private readonly host: HostConnection,
    private readonly options: LinkOptions,
  ) {
    this.#limit = options.maxChannels;
  }

  /**
   * Runs a command line on a channel of its own. More than the host allows wait for their turn; "open failed" and a
   * connection that is refused at the door are tried again and count for nothing (C14).
   */
  async open(use: ChannelUse, commandLine: string, signal?: AbortSignal): Promise<OpenChannel | Blocked> {
    if (!(await this.#turn(use, signal))) return blocked('stopped while waiting for a channel');
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      this.#leave(use);
    };
    try {
      const opened = await this.#tryOpen(commandLine, signal);
      if (opened.kind === 'open') return { ...opened, release };
      release();
      return opened;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Ends every connection; whoever waits hears that it is over. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#idle !== null) clearTimeout(this.#idle);
    for (const waiter of this.#waiting.splice(0)) waiter.go(false);
    await this.#current;
    await Promise.all([...this.#clients].map(([client, socket]) => ended(client, socket)));
  }

  async #tryOpen(
    commandLine: string,
    signal: AbortSignal | undefined,
  ): Promise<Blocked | Omit<OpenChannel, 'release'>> {
    for (let tries = 1; ; tries++) {
      if (signal?.aborted === true) return blocked('stopped');
      const connected = await this.#connected();
      if ('reason' in connected) return connected;
      const { client } = connected;
      const result = await execute(client, commandLine, this.options.channelTimeoutMs);
      if (result.kind === 'opened')
        return {
          kind: 'open',
          channel: result.channel,
          lost: () => losses.get(client) ?? null,
          renew: () => this.#renew(client),
        };
      if (tries >= OPEN_TRIES || this.#closing.signal.aborted || result.kind === 'no_answer')
        return blocked(result.why);
      // The host allows fewer channels than we hold: those that wait must not ask for more than it gives.
      if (result.kind === 'refused') this.#lower();
      await pause(tries);
    }
  }

  #connected(): Promise<{ readonly client: Client } | Blocked> {
    if (this.#closing.signal.aborted) return Promise.resolve(blocked('closed here'));
    if (this.#current === null) {
      const opening = this.#connect();
      this.#current = opening;
      // A failure is told to those who wait for it; the next one tries anew.
      void opening.then((result) => 'reason' in result && this.#drop(opening));
    }
    return this.#current;
  }

  async #connect(): Promise<{ readonly client: Client } | Blocked> {
    this.#limit = this.options.maxChannels;
    for (let tries = 1; ; tries++) {
      const result = await connectHost(this.host, this.options, this.#keyKind, this.#closing.signal);
      if (result.kind === 'connected') return this.#adopt(result.client, result.socket, result.keyKind);
      if (!result.again || tries >= DOOR_TRIES || this.#closing.signal.aborted)
        return { kind: 'blocked', reason: result.reason };
      await pause(tries);
    }
  }

  #adopt(client: Client, socket: Socket, keyKind: HostKeyKind | null): { readonly client: Client } {
    this.#keyKind = keyKind;
    this.#clients.set(client, socket);
    const adopted = { client };
    const opening = this.#current;
    client.on('error', (error: Error) => losses.set(client, error.message));
    client.once('close', () => {
      if (!losses.has(client)) losses.set(client, 'the connection was closed');
      this.#clients.delete(client);
      this.#drop(opening);
    });
    return adopted;
  }

  #drop(opening: Promise<{ readonly client: Client } | Blocked> | null): void {
    if (this.#current === opening) this.#current = null;
  }

  #renew(client: Client): void {
    const socket = this.#clients.get(client);
    if (socket === undefined) return;
    // At once: whoever asks next must not find the old one while it says goodbye. A newer one stays.
    if ([...this.#clients.keys()].at(-1) === client) this.#current = null;
    void ended(client, socket);
  }

  /** Resolves to false when there will be no turn. */
  #turn(use: ChannelUse, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    if (this.#fits(use)) {
      this.#open[use]++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const waiter: Waiter = {
        use,
        go: (turn) => {
          signal?.removeEventListener('abort', stop);
          if (turn) this.#open[use]++;
          resolve(turn);
        },
      };
      const stop = (): void => {
        const at = this.#waiting.indexOf(waiter);
        if (at >= 0) this.#waiting.splice(at, 1);
        waiter.go(false);
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.#waiting.push(waiter);
    });
  }

  #fits(use: ChannelUse): boolean {
    const { short, long } = this.#open;
    if (short + long >= this.#limit) return false;
    return use === 'short' || long < Math.max(1, this.#limit - KEPT_FOR_SHORT);
  }

  #leave(use: ChannelUse): void {
    this.#open[use]--;
    if (this.#limit < this.options.maxChannels && performance.now() - this.#limitedAt > LIMIT_RECOVERS_MS)
      this.#limit++;
    for (let at = this.#nextWaiter(); at >= 0; at = this.#nextWaiter())
      this.#waiting.splice(at, 1)[0]?.go(true);
    if (this.#open.short + this.#open.long > 0 || this.#closing.signal.aborted) return;
    this.#idle = setTimeout(() => this.#endIdle(), this.options.idleMs);
    this.#idle.unref();
  }

  #nextWaiter(): number {
    return this.#waiting.findIndex((waiter) => this.#fits(waiter.use));
  }

  #lower(): void {
    this.#limit = Math.max(1, Math.min(this.#limit, this.#open.short + this.#open.long - 1));
    this.#limitedAt = performance.now();
  }

  #endIdle(): void {
    this.#current = null;
    for (const [client, socket] of this.#clients) void ended(client, socket);
  }
}

interface Waiter {
  readonly use: ChannelUse;
  readonly go: (turn: boolean) => void;
}

/** Why connections ended; a channel only hears that it is over. */
const losses = new WeakMap<Client, string>();

type Executed =
  | { readonly kind: 'opened'; readonly channel: ClientChannel }
  | { readonly kind: 'refused' | 'lost' | 'no_answer'; readonly why: string };

function execute(client: Client, commandLine: string, timeoutMs: number): Promise<Executed> {
  return new Promise((resolve) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      resolve({ kind: 'no_answer', why: `no channel within ${timeoutMs} ms` });
    }, timeoutMs);
    const fail = (error: Error & { reason?: number | string }): void => {
      clearTimeout(timer);
      resolve({ kind: error.reason === undefined ? 'lost' : 'refused', why: error.message });
    };
    try {
      client.exec(commandLine, (error, channel) => {
        clearTimeout(timer);
        if (error) fail(error);
        else if (late) channel.close();
        else resolve({ kind: 'opened', channel });
      });
    } catch (error) {
      // Thrown when the connection ended between two lines of ours.
      fail(error as Error);
    }
  });
}

function ended(client: Client, socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (losses.has(client)) {
      resolve();
      return;
    }
    // A host that does not answer the goodbye is not waited for. The library's own destroy() does nothing after its end().
    const timer = setTimeout(() => socket.destroy(), 1_000);
    client.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    client.end();
  });
}

function pause(tries: number): Promise<void> {
  const most = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));
  return new Promise((resolve) => setTimeout(resolve, most / 2 + Math.random() * (most / 2)));
}

function blocked(detail: string): Blocked {
  return { kind: 'blocked', reason: reason('unreachable', { detail }) };
}
