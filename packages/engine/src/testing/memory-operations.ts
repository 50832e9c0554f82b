import type { AttemptState, Evidence, NodeState, OperationEvent } from '@capstan/model';
import { isEnd } from '@capstan/model';
import type {
  CommandResult,
  CommitResult,
  CreateResult,
  IdempotencyKey,
  Lease,
  NewOperation,
  OperationChange,
  OperationStore,
  StageWrite,
  StoredOperation,
} from '../ports/operation-store.js';

interface Row {
  id: string;
  number: string;
  made: NewOperation;
  sequence: number;
  status: StoredOperation['status'];
  reason: StoredOperation['reason'];
  nodes: Map<string, NodeState>;
  attempts: Map<string, AttemptState>;
  driver: string | null;
  counter: number;
  leaseUntil: number;
  wakeAt: number | null;
}

/** An operation store in memory with the rules of the real one: compare-and-set leases, fenced commits, gapless events. */
export class MemoryOperations implements OperationStore {
  private readonly rows = new Map<string, Row>();
  private readonly keys = new Map<string, { hash: string; result: CommandResult | CreateResult }>();
  private nextNumber = 1;
  readonly events: (OperationEvent & { operationId: string })[] = [];
  readonly evidence: (Evidence & { operationId: string })[] = [];
  readonly stages = new Map<string, StageWrite>();
  /** Successful commits and commands. */
  commits = 0;
  /** Refused late writes, by kind. */
  readonly refusedWrites = { stale: 0, fenced: 0 };
  /** Called by every write that made facts, artifacts or proofs. */
  onChange: (change: OperationChange) => void = () => undefined;
  onWake: (operationId: string) => void = () => undefined;
  onCommand: (operationId: string) => void = () => undefined;

  constructor(private readonly now: () => number) {}

  create(made: NewOperation): Promise<CreateResult> {
    const repeated = made.idempotency ? this.repeated(made.idempotency) : null;
    if (repeated) return Promise.resolve(repeated as CreateResult);
    const busy = [...this.rows.values()].find(
      (r) => r.made.plan.subject.key === made.plan.subject.key && !isEnd(r.status),
    );
    if (busy) return Promise.resolve({ kind: 'running', id: busy.id, number: busy.number });
    const row: Row = {
      id: made.id,
      number: `op-${this.nextNumber++}`,
      made,
      sequence: made.events.at(-1)?.sequence ?? 0,
      status: 'planned',
      reason: null,
      nodes: new Map(made.nodes.map((n) => [n.key, structuredClone(n)])),
      attempts: new Map(),
      driver: null,
      counter: 0,
      leaseUntil: 0,
      wakeAt: this.now(),
    };
    this.rows.set(row.id, row);
    for (const e of made.events) this.events.push({ ...e, operationId: row.id });
    for (const s of made.stages) this.stages.set(`${row.id}|${s.id}`, s);
    const result: CreateResult = { kind: 'created', id: row.id, number: row.number };
    if (made.idempotency)
      this.keys.set(nameOf(made.idempotency), {
        hash: made.idempotency.inputHash,
        result: { ...result, kind: 'repeated' },
      });
    this.onWake(row.id);
    return Promise.resolve(result);
  }

  /** In the order in which they were made. */
  all(): readonly StoredOperation[] {
    return [...this.rows.values()].map(stored);
  }

  load(ref: string): Promise<StoredOperation | null> {
    const row = this.find(ref);
    return Promise.resolve(row ? stored(row) : null);
  }

  lease(operationId: string, owner: string, leaseMs: number): Promise<Lease | null> {
    const row = this.rows.get(operationId);
    if (
      !row ||
      isEnd(row.status) ||
      (row.driver !== null && row.driver !== owner && row.leaseUntil > this.now())
    )
      return Promise.resolve(null);
    row.driver = owner;
    row.counter += 1;
    row.leaseUntil = this.now() + leaseMs;
    return Promise.resolve({ operationId, owner, counter: row.counter, fence: `1.1.${row.counter}` });
  }

  renew(owner: string, leaseMs: number): Promise<ReadonlySet<string>> {
    const mine = [...this.rows.values()].filter((r) => r.driver === owner);
    for (const row of mine) row.leaseUntil = this.now() + leaseMs;
    return Promise.resolve(new Set(mine.map((r) => r.id)));
  }

  release(lease: Lease): Promise<void> {
    const row = this.rows.get(lease.operationId);
    if (row && row.driver === lease.owner && row.counter === lease.counter) row.driver = null;
    return Promise.resolve();
  }

  async commit(lease: Lease, change: OperationChange): Promise<CommitResult> {
    await new Promise((resolve) => setImmediate(resolve));
    const row = this.rows.get(change.operationId);
    if (!row || row.driver !== lease.owner || row.counter !== lease.counter) {
      this.refusedWrites.fenced += 1;
      return 'fenced';
    }
    if (row.sequence !== change.expectedSequence) {
      this.refusedWrites.stale += 1;
      return 'stale';
    }
    this.write(row, change);
    if (isEnd(change.status)) row.driver = null;
    return 'committed';
  }

  command(
    ref: string,
    idempotency: IdempotencyKey | null,
    decide: Parameters<OperationStore['command']>[2],
  ): Promise<CommandResult> {
    const repeated = idempotency ? this.repeated(idempotency) : null;
    if (repeated) return Promise.resolve(repeated as CommandResult);
    const row = this.find(ref);
    if (!row) return Promise.resolve({ kind: 'not_found' });
    const decision = decide(stored(row));
    if (decision.kind === 'refused') return Promise.resolve({ kind: 'refused', problems: decision.problems });
    this.write(row, decision.change);
    const result: CommandResult = { kind: 'done', sequence: row.sequence, repeated: false };
    if (idempotency)
      this.keys.set(nameOf(idempotency), {
        hash: idempotency.inputHash,
        result: { ...result, repeated: true },
      });
    if (row.driver !== null && row.leaseUntil > this.now()) this.onCommand(row.id);
    else this.onWake(row.id);
    return Promise.resolve(result);
  }

  due(limit: number): Promise<readonly string[]> {
    const now = this.now();
    const patient = new Set(['needs_attention', 'paused']);
    return Promise.resolve(
      [...this.rows.values()]
        .filter((r) => !isEnd(r.status) && (r.driver === null || r.leaseUntil <= now))
        .filter((r) => !patient.has(r.status) || (r.wakeAt !== null && r.wakeAt <= now))
        .slice(0, limit)
        .map((r) => r.id),
    );
  }

  private write(row: Row, change: OperationChange): void {
    for (const event of change.events) {
      if (event.sequence !== row.sequence + 1)
        throw new Error(`gap: event ${event.sequence} after ${row.sequence}`);
      row.sequence = event.sequence;
      this.events.push({ ...event, operationId: row.id });
    }
    row.status = change.status;
    row.reason = change.reason;
    row.wakeAt = change.wakeInMs === null ? null : this.now() + change.wakeInMs;
    for (const n of change.nodes) row.nodes.set(n.key, structuredClone(n));
    for (const a of change.attempts) row.attempts.set(a.id, structuredClone(a));
    for (const s of change.stages) this.stages.set(`${row.id}|${s.id}`, s);
    for (const e of change.evidence) this.evidence.push({ ...e, operationId: row.id });
    this.commits += 1;
    if (isEnd(row.status)) row.driver = null;
    this.onChange(change);
  }

  private find(ref: string): Row | undefined {
    return this.rows.get(ref) ?? [...this.rows.values()].find((r) => r.number === ref);
  }

  private repeated(key: IdempotencyKey): CommandResult | CreateResult | null {
    const known = this.keys.get(nameOf(key));
    if (!known) return null;
    return known.hash === key.inputHash ? known.result : { kind: 'idempotency_conflict' };
  }
}

function stored(row: Row): StoredOperation {
  const newest = [...row.nodes.values()]
    .flatMap((n) => (n.attemptId === null ? [] : [row.attempts.get(n.attemptId)]))
    .filter((a) => a !== undefined);
  return structuredClone({
    id: row.id,
    number: row.number,
    planId: row.made.planId,
    plan: row.made.plan,
    environment: row.made.plan.environment,
    subject: row.made.plan.subject.key,
    createdBy: row.made.createdBy,
    createdAt: '2026-01-01T00:00:00.000Z',
    endedAt: null,
    sequence: row.sequence,
    status: row.status,
    reason: row.reason,
    nodes: [...row.nodes.values()],
    attempts: newest,
  });
}

function nameOf(key: IdempotencyKey): string {
  return `${key.subject}|${key.mutation}|${key.key}`;
}
