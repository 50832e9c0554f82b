import type { LiveReads, Watching, WatchRights } from '@capstan/engine';
import { type Actor, type Outcome, ok } from '@capstan/model';
import { LIVE_OPTIONS, type LiveOptions } from './live-options.js';
import { LogFeed, type LogFrame, type LogPosition } from './log-feed.js';
import { OperationFeed, type OperationFrame, type OperationPosition } from './operation-feed.js';
import { Watch, WatchRefused } from './watch.js';

export interface LiveHubParts {
  readonly live: LiveReads;
  readonly watching: Watching;
  /** Announcements of operations that have newer rows: hints only. */
  readonly watchFeed: (
    handler: (operationId: string, sequence: number) => void,
  ) => Promise<() => Promise<void>>;
  readonly report: (what: string, error: unknown) => void;
  readonly options?: Partial<LiveOptions>;
}

interface Shared<F> {
  readonly feed: F;
  watchers: number;
  ending: NodeJS.Timeout | null;
}

/** Everything that this process watches for its clients: one feed per operation and per log, however many watch it. */
export class LiveHub {
  readonly #operations = new Map<string, Shared<OperationFeed>>();
  readonly #logs = new Map<string, Shared<LogFeed>>();
  readonly #rights = new Map<
    string,
    { readonly until: number; readonly rights: Promise<Outcome<WatchRights>> }
  >();
  readonly #watches = new Set<Watch<unknown>>();
  readonly #options: LiveOptions;
  #unlisten: (() => Promise<void>) | null = null;
  #epochTimer: NodeJS.Timeout | null = null;
  #epoch: string | null = null;

  constructor(private readonly parts: LiveHubParts) {
    this.#options = { ...LIVE_OPTIONS, ...parts.options };
  }

  async start(): Promise<void> {
    this.#unlisten = await this.parts.watchFeed((id) => this.#operations.get(id)?.feed.pulse.wake());
    this.#epochTimer = setInterval(() => void this.#lookAtEpoch(), this.#options.heartbeatMs);
    this.#epochTimer.unref();
  }

  /** The position that clients hold belongs to this epoch. */
  async epoch(): Promise<string> {
    this.#epoch ??= await this.parts.live.epoch();
    return this.#epoch;
  }

  /** Ends every stream, without a word to its client: that is for whoever closes the sockets. */
  async stop(): Promise<void> {
    await Promise.all([...this.#watches].map((watch) => watch.return()));
    if (this.#epochTimer) clearInterval(this.#epochTimer);
    for (const shared of [...this.#operations.values(), ...this.#logs.values()])
      if (shared.ending) clearTimeout(shared.ending);
    for (const { feed } of this.#operations.values()) feed.pulse.rest();
    for (const { feed } of this.#logs.values()) feed.rest();
    await this.#unlisten?.();
  }

  /** Frames of an operation from after a sequence on; null = from everything. */
  async watchOperation(
    actor: Actor,
    ref: string,
    after: number | null,
  ): Promise<Outcome<Watch<OperationFrame>>> {
    const found = await this.parts.watching.operationId(actor, ref);
    if (!found.ok) return found;
    const operationId = found.value;
    const shared = take(this.#operations, operationId, () => {
      const { live, report } = this.parts;
      return new OperationFeed(operationId, live, this.#options, report);
    });
    const { feed } = shared;
    await feed.pulse.start();
    let position: OperationPosition = { after, beat: -1, generation: feed.generation };
    const step = async (signal: AbortSignal): Promise<OperationFrame | null> => {
      while (!signal.aborted) {
        const { beat } = feed.pulse;
        const rights = await this.#rightsOf(actor, operationId);
        const next = await feed.next(position, rights);
        if (next) {
          position = next.position;
          return next.frame;
        }
        if (feed.isOver(position)) return null;
        await feed.pulse.wait(beat, signal);
      }
      return null;
    };
    return ok(
      this.#watch(step, () => this.#leave(this.#operations, operationId, shared, () => feed.pulse.rest())),
    );
  }

  /** The output of an attempt from a byte on; null = from the first, anew. */
  async watchLog(
    actor: Actor,
    attemptId: string,
    after: number | null,
    etag: string | null,
  ): Promise<Outcome<Watch<LogFrame>>> {
    const found = await this.parts.watching.log(actor, attemptId);
    if (!found.ok) return found;
    const { operationId } = found.value;
    const shared = take(this.#logs, attemptId, () => {
      const { live, watching, report } = this.parts;
      const bytes = watching.bytes.bind(watching);
      return new LogFeed(attemptId, live, bytes, this.#options, report);
    });
    const { feed } = shared;
    await feed.start();
    let position: LogPosition = { after, etag, beat: -1 };
    let over = false;
    const step = async (signal: AbortSignal): Promise<LogFrame | null> => {
      while (!signal.aborted && !over) {
        const { beat } = feed.pulse;
        await this.#rightsOf(actor, operationId);
        const next = await feed.next(position);
        if (next) {
          position = next.position;
          over = next.frame.end;
          return next.frame;
        }
        await feed.pulse.wait(beat, signal);
      }
      return null;
    };
    return ok(this.#watch(step, () => this.#leave(this.#logs, attemptId, shared, () => feed.rest())));
  }

  #watch<T>(step: (signal: AbortSignal) => Promise<T | null>, closed: () => void): Watch<T> {
    const watch: Watch<T> = new Watch(step, () => {
      this.#watches.delete(watch);
      closed();
    });
    this.#watches.add(watch);
    return watch;
  }

  /** Throws {@link WatchRefused} when the right to watch was withdrawn. */
  async #rightsOf(actor: Actor, operationId: string): Promise<WatchRights> {
    const name = `${actor.kind}:${actor.id}|${operationId}`;
    const now = performance.now();
    let known = this.#rights.get(name);
    if (!known || known.until <= now) {
      for (const [key, { until }] of this.#rights) if (until <= now) this.#rights.delete(key);
      const rights = this.parts.watching.rights(actor, operationId);
      known = { until: now + this.#options.rightsMs, rights };
      this.#rights.set(name, known);
      rights.catch(() => this.#rights.delete(name));
    }
    const rights = await known.rights;
    if (rights.ok) return rights.value;
    throw new WatchRefused(rights.problems);
  }

  #leave<F>(all: Map<string, Shared<F>>, id: string, shared: Shared<F>, rest: () => void): void {
    shared.watchers -= 1;
    if (shared.watchers > 0) return;
    rest();
    shared.ending = setTimeout(() => {
      if (shared.watchers === 0) all.delete(id);
    }, this.#options.lingerMs);
    shared.ending.unref();
  }

  async #lookAtEpoch(): Promise<void> {
    if (this.#operations.size === 0 && this.#epoch === null) return;
    try {
      const epoch = await this.parts.live.epoch();
      const isOther = this.#epoch !== null && this.#epoch !== epoch;
      this.#epoch = epoch;
      if (isOther) for (const { feed } of this.#operations.values()) feed.forget();
    } catch (error) {
      // The feeds report it too; whether the database is another one is asked again soon.
      this.parts.report('the epoch of the feed cannot be read', error);
    }
  }
}

function take<F>(all: Map<string, Shared<F>>, id: string, make: () => F): Shared<F> {
  let shared = all.get(id);
  if (!shared) {
    shared = { feed: make(), watchers: 0, ending: null };
    all.set(id, shared);
  }
  shared.watchers += 1;
  if (shared.ending) clearTimeout(shared.ending);
  shared.ending = null;
  return shared;
}
