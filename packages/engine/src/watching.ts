import type { Actor, Outcome, Problem, Text } from '@capstan/model';
import { ok, refused, text } from '@capstan/model';
import type { Authorize } from './authorize.js';
import { allowAll } from './authorize.js';
import type { LiveLog, LiveReads } from './ports/live-reads.js';
import type { LogStore } from './ports/stores.js';

export interface WatchingDependencies {
  readonly live: LiveReads;
  readonly logs: Pick<LogStore, 'read'>;
  readonly authorize?: Authorize;
}

/** What a watcher may do beside watching: those who may do the same share what is made for them. */
export interface WatchRights {
  /** What keeps it from running things; null = nothing does. */
  readonly run: Text | null;
}

/** The use cases of whoever watches, behind the same authorisation point as {@link ControlPlane}. */
export class Watching {
  private readonly authorize: Authorize;

  constructor(private readonly deps: WatchingDependencies) {
    this.authorize = deps.authorize ?? allowAll;
  }

  /** Of an id or a number. */
  async operationId(actor: Actor, ref: string): Promise<Outcome<string>> {
    const forbidden = await this.authorize(actor, 'view', ref);
    if (forbidden) return refused(forbidden);
    const id = await this.deps.live.operationId(ref);
    if (id !== null) return ok(id);
    return refused({ code: 'not_found', text: text('operation.not_found', { operation: ref }) });
  }

  /** Asked again while somebody watches: rights may be withdrawn meanwhile. */
  async rights(actor: Actor, operationId: string): Promise<Outcome<WatchRights>> {
    const forbidden = await this.authorize(actor, 'view', operationId);
    if (forbidden) return refused(forbidden);
    return ok({ run: (await this.authorize(actor, 'run', operationId))?.text ?? null });
  }

  /** What is known of the stored output of an attempt, now. */
  async log(actor: Actor, attemptId: string): Promise<Outcome<LiveLog>> {
    const log = await this.deps.live.attemptLog(attemptId);
    if (!log) return refused(noAttempt(attemptId));
    // Whether there is such an attempt is told only to those who may see its operation.
    const forbidden = await this.authorize(actor, 'view', log.operationId);
    return forbidden ? refused(forbidden) : ok(log);
  }

  /** Stored, masked bytes from an offset, for a caller whose {@link log} was granted; ends early before what was cut. */
  bytes(log: LiveLog, from: number, limit: number): Promise<Uint8Array> {
    return this.deps.logs.read(log.attemptId, from, limit);
  }

  /** Whether the bytes of before still are what is stored: none was masked or removed meanwhile. */
  async isSame(log: LiveLog): Promise<boolean> {
    const now = await this.deps.live.attemptLog(log.attemptId);
    return now !== null && now.logEtag === log.logEtag && now.logPruned === null;
  }
}

function noAttempt(attemptId: string): Problem {
  return { code: 'not_found', text: text('log.not_found', { attempt: attemptId }) };
}
