import type {
  LiveAttemptRow,
  LiveNodeRow,
  LiveRows,
  RunHistory,
  RunNode,
  RunView,
  StageWrite,
  StoredEvent,
} from '@capstan/engine';
import type { Plan } from '@capstan/model';

/** An operation as held in memory: the newest of each row, and the tail of its events without a gap. */
export class OperationState {
  readonly #nodes = new Map<string, LiveNodeRow>();
  readonly #attempts = new Map<string, LiveAttemptRow>();
  readonly #rows = new Map<string, RunNode>();
  readonly #stages = new Map<string, StageWrite>();
  #events: StoredEvent[] = [];
  #view: RunView | null = null;

  constructor(
    private readonly operationId: string,
    private currentPlan: Plan,
    private readonly history: RunHistory | null,
    private head: LiveRows,
    private readonly eventsHeld: number,
  ) {
    this.take(head);
  }

  get sequence(): number {
    return this.head.sequence;
  }

  get moment(): LiveRows {
    return this.head;
  }

  /** Takes in what is newer than {@link sequence}. */
  take(rows: LiveRows): void {
    this.head = rows;
    this.#view = null;
    // A patch made another revision, and perhaps other steps.
    if (rows.plan) this.currentPlan = rows.plan;
    const changed = new Set<string>();
    for (const node of rows.nodes) {
      this.#nodes.set(node.key, node);
      changed.add(node.key);
    }
    for (const attempt of rows.attempts) {
      this.#attempts.set(attempt.id, attempt);
      changed.add(attempt.nodeKey);
    }
    for (const key of changed) this.#join(key);
    for (const stage of rows.stages) this.#stages.set(stage.id, stage);
    const [first] = rows.events;
    if (first && first.event.sequence !== (this.#events.at(-1)?.event.sequence ?? 0) + 1) this.#events = [];
    this.#events.push(...rows.events);
    // Trimmed seldom: moving a thousand entries for each event would cost more than keeping some.
    if (this.#events.length > this.eventsHeld * 2) this.#events = this.#events.slice(-this.eventsHeld);
  }

  /** Everything, in the plan's order, never changed afterwards. */
  get view(): RunView {
    this.#view ??= {
      operation: {
        id: this.operationId,
        number: this.head.number,
        status: this.head.status,
        reason: this.head.reason,
        changedAt: this.head.changedAt,
        createdAt: this.head.createdAt,
        startedAt: this.head.startedAt,
        endedAt: this.head.endedAt,
      },
      plan: this.currentPlan,
      stages: [...this.#stages.values()],
      nodes: [...this.#rows.values()],
      history: this.history,
    };
    return this.#view;
  }

  get plan(): Plan {
    return this.currentPlan;
  }

  /** Rows whose last change lies in a range; a later change comes with a later range. What never changed comes first. */
  rowsWithin(after: number, to: number): { nodes: readonly RunNode[]; stages: readonly StageWrite[] } {
    const within = ({ sequence }: { readonly sequence: number }) =>
      (sequence > after || after === 0) && sequence <= to;
    return { nodes: this.view.nodes.filter(within), stages: this.view.stages.filter(within) };
  }

  /** The newest events. */
  lastEvents(count: number): readonly StoredEvent[] {
    return this.#events.slice(-count);
  }

  /** Events after a sequence up to another; null when they are not all held. */
  heldEvents(after: number, to: number): readonly StoredEvent[] | null {
    const first = this.#events[0]?.event.sequence;
    if (first === undefined || first > after + 1) return null;
    return this.#events.slice(after + 1 - first, to + 1 - first);
  }

  #join(key: string): void {
    const node = this.#nodes.get(key);
    if (!node) return;
    const attempt = node.attemptId === null ? undefined : this.#attempts.get(node.attemptId);
    this.#rows.set(key, {
      ...node,
      sequence: Math.max(node.sequence, attempt?.sequence ?? 0),
      attemptStatus: attempt?.status ?? null,
      startedAt: attempt?.startedAt ?? null,
      endedAt: attempt?.endedAt ?? null,
    });
  }
}
