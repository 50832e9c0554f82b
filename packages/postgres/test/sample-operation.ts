import assert from 'node:assert/strict';
import type { Lease, NewOperation, OperationChange, StageWrite } from '@capstan/engine';
import type {
  Actor,
  Evidence,
  OperationEvent,
  OperationEventBody,
  OperationState,
  Plan,
} from '@capstan/model';
import { ENGINE, EVENT_VERSION, evolve, initialState, planHash } from '@capstan/model';
import type { Database } from '@capstan/postgres';

const PERSON: Actor = { kind: 'human', id: 'ada' };

/** A plan of no-op jobs; each edge is `from>to`. */
export function samplePlan(
  subject: string,
  keys: readonly string[],
  edges: readonly string[] = [],
  environment = 'default',
): Plan {
  const [type = '', name = ''] = subject.split('/');
  const plan: Omit<Plan, 'hash'> = {
    revision: 1,
    intent: {
      action: 'install',
      targetResourceType: type,
      desiredResult: { name },
      constraints: {},
      hosts: null,
    },
    scenario: { id: `${type}.install`, version: '1.0.0', pack: type, digest: 'd' },
    title: { en: 'Install it', ru: 'Установить' },
    subject: { key: subject, type, name },
    environment,
    params: {},
    sets: {},
    hostKeys: {},
    packs: [],
    stages: [{ id: 'main', title: 'Main' }],
    nodes: keys.map((key) => ({
      key,
      kind: 'job',
      stage: 'main',
      job: null,
      target: 'node/lab-1',
      dependsOn: edges
        .map((edge) => edge.split('>'))
        .filter(([, to]) => to === key)
        .map(([from = '']) => from),
      origin: 'template',
      reason: null,
      params: {},
      needs: [],
      inputs: [],
      outputs: [],
      proofs: [],
      checks: [],
      disturbs: [],
    })),
    jobs: {},
    checks: {},
    bindings: [],
    gates: [],
    generate: [],
    provides: [],
    risk: 'low',
    estimate: null,
    plannedAt: '2026-11-30T08:00:00.000Z',
  };
  return { ...plan, hash: planHash(plan) };
}

/** What the driver of an operation holds in memory, and the changes that it would commit. */
export class SampleOperation {
  readonly id: string;
  readonly state: OperationState;
  private readonly planned: OperationEvent[];

  constructor(
    private readonly database: Database,
    readonly plan: Plan,
  ) {
    this.id = database.ids.next('op');
    this.state = initialState(this.id, plan.nodes);
    this.planned = this.evolved([{ type: 'operation_planned' }], PERSON);
  }

  /** As the engine hands it to `create`. */
  asNew(idempotency: NewOperation['idempotency'] = null): NewOperation {
    return {
      id: this.id,
      planId: this.database.ids.next('plan'),
      plan: this.plan,
      createdBy: PERSON,
      resourceId: this.database.ids.next('res'),
      events: this.planned,
      nodes: [...this.state.nodes.values()].map((node) => ({ ...node })),
      stages: [this.stage()],
      idempotency,
    };
  }

  /** Applies the events and gives the change that records them. */
  change(bodies: readonly OperationEventBody[], more: Partial<OperationChange> = {}): OperationChange {
    const expectedSequence = this.state.sequence;
    const events = this.evolved(bodies, ENGINE);
    const touched = new Set(bodies.flatMap((body) => ('nodeKey' in body ? [body.nodeKey] : [])));
    return {
      operationId: this.id,
      expectedSequence,
      sequence: this.state.sequence,
      status: this.state.status,
      reason: this.state.reason,
      wakeInMs: null,
      events,
      nodes: [...this.state.nodes.values()]
        .filter((node) => touched.has(node.key) || node.sequence > expectedSequence)
        .map((n) => ({ ...n })),
      attempts: [...this.state.attempts.values()]
        .filter((attempt) => attempt.sequence > expectedSequence)
        .map((a) => ({ ...a })),
      stages: [],
      evidence: [],
      facts: [],
      staleFacts: [],
      artifacts: [],
      proofs: [],
      ...more,
    };
  }

  /** The event with which an attempt begins. */
  startEvent(nodeKey: string, attemptId: string, number = 1): OperationEventBody {
    return {
      type: 'attempt_starting',
      nodeKey,
      attemptId,
      number,
      host: 'node/lab-1',
      runRoot: '/var/lib/capstan',
      fence: '1.1.1',
      bundleHash: 'b',
    };
  }

  stage(done = 0): StageWrite {
    return {
      id: 'main',
      status: done > 0 ? 'running' : 'pending',
      done,
      total: this.plan.nodes.length,
      sequence: this.state.sequence,
    };
  }

  private evolved(bodies: readonly OperationEventBody[], actor: Actor): OperationEvent[] {
    return bodies.map((body) => {
      const event = { ...body, sequence: this.state.sequence + 1, v: EVENT_VERSION, actor } as OperationEvent;
      evolve(this.state, event);
      return event;
    });
  }
}

/** Evidence of a check on `postgres/main`; fresh for ten minutes. */
export function sampleEvidence(database: Database, more: Partial<Evidence> = {}): Evidence {
  return {
    id: database.ids.next('ev'),
    check: 'postgres:answers',
    checkDigest: 'c',
    subject: 'postgres/main',
    from: 'node/lab-1',
    nodeKey: null,
    attemptId: null,
    expected: 'exit_code == 0',
    observed: 'exit code 0',
    attributes: { port: 5432 },
    rawHash: 'r',
    verdict: 'confirmed',
    provenance: 'real',
    at: '2020-01-01T00:00:00.000Z',
    freshUntil: '2020-01-01T00:10:00.000Z',
    startedAfter: 0,
    ...more,
  };
}

/** An operation of this plan, created in the database. */
export async function createSample(db: Database, plan: Plan): Promise<SampleOperation> {
  const operation = new SampleOperation(db, plan);
  assert.equal((await db.store.create(operation.asNew())).kind, 'created');
  return operation;
}

/** The lease of an operation that is free. */
export async function leaseSample(
  db: Database,
  operation: SampleOperation,
  owner = 'w1',
  leaseMs = 20_000,
): Promise<Lease> {
  const lease = await db.store.lease(operation.id, owner, leaseMs);
  assert.ok(lease, 'the operation was free');
  return lease;
}
