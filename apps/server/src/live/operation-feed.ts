import {
  type AllowedAction,
  actionsOf,
  type Blocker,
  blockersOf,
  type LiveReads,
  type Progress,
  progressOf,
  type RunNode,
  type RunView,
  type StageWrite,
  type StoredEvent,
  type WatchRights,
} from '@capstan/engine';
import { isEnd, type Plan } from '@capstan/model';
import type { LiveOptions } from './live-options.js';
import { OperationState } from './operation-state.js';
import { Pulse } from './pulse.js';

/** What a watcher is told: a function of operation, range and rights, from rows that the feed holds already. */
export interface OperationFrame {
  /** First sequence that it covers; of an empty frame one more than `to`. */
  readonly from: number;
  readonly to: number;
  /** The moment of its rows, by the database clock. */
  readonly at: string;
  /** It is everything: what is not in it is not there. */
  readonly reset: boolean;
  readonly head: OperationHead;
  readonly stages: readonly StageWrite[];
  readonly nodes: readonly RunNode[];
  readonly events: readonly StoredEvent[];
}

/** The operation as a whole at that moment, for those rights. */
export interface OperationHead {
  readonly view: RunView;
  readonly plan: Plan;
  readonly sequence: number;
  readonly planRevision: number;
  readonly progress: Progress;
  readonly blockers: readonly Blocker[];
  readonly actions: readonly AllowedAction[];
}

/** Where a watcher stands. `after` null: it has nothing yet. */
export interface OperationPosition {
  readonly after: number | null;
  /** The {@link Pulse.beat} and generation of its last frame. */
  readonly beat: number;
  readonly generation: number;
}

/**
 * One watched operation, read once per wake-up however many watch it. Frames are made on demand and shared by all that
 * stand at the same place: first, late and following watchers are one case, differing in where they stand.
 */
export class OperationFeed {
  readonly pulse: Pulse;
  #state: OperationState | null = null;
  /** Counts up when positions of before mean nothing any more. */
  #generation = 0;
  readonly #frames = new Map<string, Promise<OperationFrame>>();
  readonly #heads = new Map<string, OperationHead>();

  constructor(
    readonly operationId: string,
    private readonly live: LiveReads,
    private readonly options: LiveOptions,
    report: (what: string, error: unknown) => void,
  ) {
    this.pulse = new Pulse({
      read: (isBeat) => this.#read(isBeat),
      coalesceMs: options.coalesceMs,
      heartbeatMs: options.heartbeatMs,
      report: (error) => report(`operation ${operationId}: cannot be read for its watchers`, error),
    });
  }

  /** The next frame for whoever stands there; null: there is nothing to say until the next beat. */
  async next(
    position: OperationPosition,
    rights: WatchRights,
  ): Promise<{ readonly frame: OperationFrame; readonly position: OperationPosition } | null> {
    const { beat } = this.pulse;
    const generation = this.#generation;
    const state = this.#state;
    if (!state) return null;
    const { sequence } = state;
    const after = position.generation === generation ? position.after : null;
    if (after === sequence && position.beat === beat) return null;
    const name = `${after}|${rightsName(rights)}`;
    const frame = await (this.#frames.get(name) ?? this.#make(name, state, after, rights));
    // Not before it stands at the end does a watcher wait for the next beat.
    const seen = frame.to === sequence ? beat : -1;
    return { frame, position: { after: frame.to, beat: seen, generation } };
  }

  /** What a new watcher's position belongs to. */
  get generation(): number {
    return this.#generation;
  }

  /** Whether the operation is over and a watcher that stands there knows everything of it. */
  isOver({ after, generation }: OperationPosition): boolean {
    const state = this.#state;
    return (
      state !== null &&
      isEnd(state.moment.status) &&
      after === state.sequence &&
      generation === this.#generation
    );
  }

  /** Positions mean nothing any more: the database is another one. */
  forget(): void {
    this.#generation += 1;
    this.#state = null;
    this.pulse.wake();
  }

  /** Takes in what is new; true when there was anything. */
  async #read(isBeat: boolean): Promise<boolean> {
    const state = this.#state;
    const generation = this.#generation;
    const rows = await this.live.rows(
      this.operationId,
      state?.sequence ?? -1,
      state ? this.options.eventsPerFrame : this.options.eventsOfReset,
      state?.plan.revision ?? 0,
    );
    if (generation !== this.#generation) return this.#read(isBeat);
    if (!rows) return false;
    if (!state) {
      if (!rows.plan) return false;
      const history = await this.live.history(rows.scenario);
      if (generation !== this.#generation) return this.#read(isBeat);
      this.#state = new OperationState(this.operationId, rows.plan, history, rows, this.options.eventsHeld);
      this.#moved();
      return true;
    }
    if (rows.sequence < state.sequence) {
      // Restored or rewound under a running process.
      this.#generation += 1;
      this.#state = null;
      return this.#read(isBeat);
    }
    const isNew = rows.sequence > state.sequence;
    // Nothing to tell: what was made for this moment is still right for those who have yet to ask for it.
    if (!isNew && !isBeat) return false;
    state.take(rows);
    this.#moved();
    return isNew;
  }

  /** What was made for the moment before is nobody's any more. */
  #moved(): void {
    this.#frames.clear();
    this.#heads.clear();
  }

  #make(
    name: string,
    state: OperationState,
    after: number | null,
    rights: WatchRights,
  ): Promise<OperationFrame> {
    const made = this.#frame(state, after, rights);
    this.#frames.set(name, made);
    // A failure is not kept: whoever asks next tries again.
    made.catch(() => this.#frames.delete(name));
    return made;
  }

  async #frame(state: OperationState, after: number | null, rights: WatchRights): Promise<OperationFrame> {
    const { sequence } = state;
    if (after === null || after > sequence || sequence - after > this.options.eventsBehind)
      return this.#everything(state, rights);
    const to = Math.min(sequence, after + this.options.eventsPerFrame);
    const events =
      state.heldEvents(after, to) ?? (await this.live.events(this.operationId, after, to - after));
    // Retention took some of them: a history with a hole is none.
    if (events.length !== to - after || (events[0]?.event.sequence ?? to + 1) !== after + 1)
      return this.#everything(state, rights);
    return {
      from: after + 1,
      to,
      at: state.moment.at,
      reset: false,
      head: this.#head(state, rights),
      ...state.rowsWithin(after, to),
      events,
    };
  }

  #everything(state: OperationState, rights: WatchRights): OperationFrame {
    const { nodes, stages } = state.view;
    return {
      from: 1,
      to: state.sequence,
      at: state.moment.at,
      reset: true,
      head: this.#head(state, rights),
      nodes,
      stages,
      events: state.lastEvents(this.options.eventsOfReset),
    };
  }

  #head(state: OperationState, rights: WatchRights): OperationHead {
    const name = rightsName(rights);
    const known = this.#heads.get(name);
    if (known) return known;
    const { view, moment } = state;
    const head: OperationHead = {
      view,
      plan: state.plan,
      sequence: moment.sequence,
      planRevision: moment.planRevision,
      progress: progressOf(view, moment.at),
      blockers: blockersOf(view, moment.at),
      actions: actionsOf(view, rights.run),
    };
    this.#heads.set(name, head);
    return head;
  }
}

/** Those who may do the same share their frames. */
function rightsName({ run }: WatchRights): string {
  return run === null ? '' : JSON.stringify(run);
}
