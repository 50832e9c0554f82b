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
  /** Gives the place back; must be called once the channel is not used any more. */
  release(): void;
}

/** Tries at the door of a host, with pauses in between that grow from 200 ms. */
const DOOR_TRIES = 6;
const OPEN_TRIES = 8;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;
/** After this long without a refused channel one more is tried again. */
const LIMIT_RECOVERS_MS = 30_000;

/** The one connection to a host that everyone in this process shares. It opens when it is needed and closes when it is idle. */
export class HostLink {
  #client: Promise<{ readonly client: Client } | Blocked> | null = null;
  #lost: string | null = null;
  #keyKind: HostKeyKind | null = null;
  #open = { short: 0, long: 0 };
  #limit: number;
  #limitedAt = 0;
  #waiting: { readonly use: ChannelUse; readonly go: () => void }[] = [];
  #idle: NodeJS.Timeout | null = null;
  #closed = false;

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
    await this.#turn(use);
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      this.#leave(use);
    };
    try {
      const opened = await this.#tryOpen(commandLine, signal);
      if (opened.kind === 'blocked') release();
      return opened.kind === 'blocked'
        ? opened
        : { kind: 'open', channel: opened.channel, lost: opened.lost, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#idle !== null) clearTimeout(this.#idle);
    const current = await this.#client;
    if (current !== null && 'client' in current) await ended(current.client);
  }

  async #tryOpen(
    commandLine: string,
    signal: AbortSignal | undefined,
  ): Promise<Blocked | { readonly kind: 'opened'; readonly channel: ClientChannel; lost(): string | null }> {
    for (let tries = 1; ; tries++) {
      if (signal?.aborted === true) return blocked('stopped following');
      const connected = await this.#connected();
      if ('reason' in connected) return connected;
      const result = await execute(connected.client, commandLine, this.options.channelTimeoutMs);
      if (result.kind === 'opened') {
        const client = connected.client;
        return { kind: 'opened', channel: result.channel, lost: () => lostOf(client) };
      }
      if (tries >= OPEN_TRIES || this.#closed) return blocked(result.why);
      if (result.kind === 'no_answer') return blocked(result.why);
      // The host allows fewer channels than we hold: those that wait must not ask for more than it gives.
      if (result.kind === 'refused') this.#lower();
      await pause(tries);
    }
  }

  async #connected(): Promise<{ readonly client: Client } | Blocked> {
    if (this.#closed) return blocked('closed here');
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<{ readonly client: Client } | Blocked> {
    this.#limit = this.options.maxChannels;
    for (let tries = 1; ; tries++) {
      const result = await connectHost(this.host, this.options, this.#keyKind);
      if (result.kind === 'connected') {
        this.#keyKind = result.keyKind;
        result.client.on('error', (error: Error) => losses.set(result.client, error.message));
        result.client.once('close', () => {
          if (!losses.has(result.client)) losses.set(result.client, 'the connection was closed');
          this.#client = null;
        });
        return { client: result.client };
      }
      if (!result.again || tries >= DOOR_TRIES || this.#closed) {
        this.#client = null;
        return { kind: 'blocked', reason: result.reason };
      }
      await pause(tries);
    }
  }

  #turn(use: ChannelUse): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    if (this.#fits(use)) {
      this.#open[use]++;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#waiting.push({
        use,
        go: () => {
          this.#open[use]++;
          resolve();
        },
      });
    });
  }

  #fits(use: ChannelUse): boolean {
    const { short, long } = this.#open;
    if (short + long >= this.#limit) return false;
    return use === 'short' || long < Math.max(1, this.#limit - 2);
  }

  #leave(use: ChannelUse): void {
    this.#open[use]--;
    if (this.#limit < this.options.maxChannels && Date.now() - this.#limitedAt > LIMIT_RECOVERS_MS)
      this.#limit++;
    for (let next = this.#next(); next !== undefined; next = this.#next()) next.go();
    if (this.#open.short + this.#open.long > 0 || this.#closed) return;
    this.#idle = setTimeout(() => void this.#endIdle(), this.options.idleMs);
    this.#idle.unref();
  }

  #next(): { readonly go: () => void } | undefined {
    const at = this.#waiting.findIndex((waiter) => this.#fits(waiter.use));
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0];
  }

  #lower(): void {
    this.#limit = Math.max(1, Math.min(this.#limit, this.#open.short + this.#open.long - 1));
    this.#limitedAt = Date.now();
  }

  async #endIdle(): Promise<void> {
    const current = await this.#client;
    if (current === null || !('client' in current) || this.#open.short + this.#open.long > 0) return;
    this.#client = null;
    current.client.end();
  }
}

/** Why connections ended; a channel only hears that it is over. */
const losses = new WeakMap<Client, string>();

function lostOf(client: Client): string | null {
  return losses.get(client) ?? null;
}

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

function ended(client: Client): Promise<void> {
  return new Promise((resolve) => {
    if (losses.has(client)) {
      resolve();
      return;
    }
    // A host that does not answer the goodbye is not waited for.
    const timer = setTimeout(() => client.destroy(), 1_000);
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
