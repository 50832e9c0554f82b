import { randomUUID } from 'node:crypto';
import type { NewOperation } from '@capstan/engine';
import {
  ENGINE,
  EVENT_VERSION,
  evolve,
  initialState,
  type OperationEventBody,
  type OperationState,
} from '@capstan/model';
import type { Database } from '@capstan/postgres';

type Lease = NonNullable<Awaited<ReturnType<Database['store']['lease']>>>;

/** Writes the events of an operation as its driver would, one at a time, without any host behind them. */
export class DrivenNodes {
  private constructor(
    private readonly database: Database,
    private readonly lease: Lease,
    private readonly state: OperationState,
  ) {}

  /** Takes a new operation over and starts it. */
  static async take(database: Database, operation: NewOperation): Promise<DrivenNodes> {
    const state = initialState(operation.id, operation.plan.nodes);
    for (const event of operation.events) evolve(state, event);
    const lease = await database.store.lease(operation.id, 'bench', 600_000);
    if (lease === null) throw new Error(`no lease on ${operation.id}`);
    const driven = new DrivenNodes(database, lease, state);
    await driven.commit({ type: 'operation_started' });
    return driven;
  }

  /** A node that was ready runs. */
  async begin(nodeKey: string): Promise<void> {
    const attemptId = `att_${randomUUID()}`;
    await this.commit({
      type: 'attempt_starting',
      nodeKey,
      attemptId,
      number: 1,
      host: 'node/h1',
      runRoot: '/r',
      fence: '1.1.1',
      bundleHash: '',
    });
  }

  private async commit(body: OperationEventBody): Promise<void> {
    const { state } = this;
    const expectedSequence = state.sequence;
    const event = { ...body, sequence: expectedSequence + 1, v: EVENT_VERSION, actor: ENGINE };
    evolve(state, event);
    const result = await this.database.store.commit(this.lease, {
      operationId: state.id,
      expectedSequence,
      sequence: state.sequence,
      status: state.status,
      reason: state.reason,
      wakeInMs: null,
      events: [event],
      nodes: [...state.nodes.values()].filter((node) => node.sequence > expectedSequence),
      attempts: [...state.attempts.values()].filter((one) => one.sequence > expectedSequence),
      stages: [],
      evidence: [],
      facts: [],
      staleFacts: [],
      artifacts: [],
      proofs: [],
    });
    if (result !== 'committed') throw new Error(result);
    this.database.feed.announce(state.id, state.sequence);
  }
}
