import type {
  Actor,
  AttemptState,
  Evidence,
  NodeState,
  OperationEventBody,
  OperationState,
  Plan,
} from '@capstan/model';
import { EVENT_VERSION, evolve } from '@capstan/model';
import type { ArtifactWrite, FactWrite, OperationChange, ProofWrite } from './ports/operation-store.js';
import { stagesTouched } from './stages.js';

/**
 * One transition in the making. `emit` is the only way to change the state: the event and what it does to the rows are
 * made in the same step, so they can only be written together (L9).
 */
export class Batch {
  readonly expectedSequence: number;
  private readonly events: OperationChange['events'][number][] = [];
  private readonly touchedNodes = new Set<NodeState>();
  private readonly touchedAttempts = new Set<AttemptState>();
  readonly evidence: Evidence[] = [];
  readonly facts: FactWrite[] = [];
  readonly staleFacts: { resource: string; capability: string }[] = [];
  readonly artifacts: ArtifactWrite[] = [];
  readonly proofs: ProofWrite[] = [];

  constructor(
    readonly state: OperationState,
    private readonly plan: Pick<Plan, 'stages' | 'nodes'>,
    private readonly actor: Actor,
  ) {
    this.expectedSequence = state.sequence;
  }

  emit(body: OperationEventBody): number {
    const sequence = this.state.sequence + 1;
    const event = { ...body, sequence, v: EVENT_VERSION, actor: this.actor };
    evolve(this.state, event);
    this.events.push(event);
    if ('nodeKey' in body) this.touch(body.nodeKey, releases(body));
    return sequence;
  }

  get isEmpty(): boolean {
    return this.events.length === 0 && this.artifacts.length === 0;
  }

  /** The events so far, for `create`, which writes whole rows. */
  get emitted(): OperationChange['events'] {
    return this.events;
  }

  toChange(wakeInMs: number | null): OperationChange {
    return {
      operationId: this.state.id,
      expectedSequence: this.expectedSequence,
      sequence: this.state.sequence,
      status: this.state.status,
      reason: this.state.reason,
      wakeInMs,
      events: this.events,
      nodes: [...this.touchedNodes].map((n) => ({ ...n })),
      attempts: [...this.touchedAttempts].map((a) => ({ ...a })),
      stages: stagesTouched(this.plan, this.state, new Set([...this.touchedNodes].map((n) => n.key))),
      evidence: this.evidence,
      facts: this.facts,
      staleFacts: this.staleFacts,
      artifacts: this.artifacts,
      proofs: this.proofs,
    };
  }

  private touch(key: string, successorsToo: boolean): void {
    const node = this.state.nodes.get(key);
    if (!node) return;
    this.touchedNodes.add(node);
    const attempt = this.state.attempts.get(key);
    if (attempt) this.touchedAttempts.add(attempt);
    if (!successorsToo) return;
    for (const next of node.successors) {
      const successor = this.state.nodes.get(next);
      if (successor) this.touchedNodes.add(successor);
    }
  }
}

/** A success counts down its successors: only then their rows change in the same commit. */
function releases(body: OperationEventBody): boolean {
  return body.type === 'attempt_satisfied' || (body.type === 'attempt_closed' && body.node === 'succeeded');
}
