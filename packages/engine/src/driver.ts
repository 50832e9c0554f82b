import type { AttemptState, NodeState, OperationState, PlanNode, Reason } from '@capstan/model';
import { ENGINE, isAttemptEnd, isEnd, reason } from '@capstan/model';
import { ArtifactShelf } from './artifact-shelf.js';
import { Batch } from './batch.js';
import { cancelAttempt } from './cancel-attempt.js';
import type { DecideContext, Input, Next } from './decide.js';
import { advance, apply, proofKeyOf } from './decide.js';
import { isCancelledAgain } from './decide-cancel.js';
import type { EngineDependencies, EngineOptions } from './dependencies.js';
import { generateMissing } from './generate.js';
import { InFlight } from './in-flight.js';
import { Inbox } from './inbox.js';
import type { Redaction } from './ports/host-port.js';
import type { Lease, StoredOperation } from './ports/operation-store.js';
import type { PrepareResult } from './prepare.js';
import { prepare } from './prepare.js';
import { rebuild } from './rebuild.js';
import { retryDelay } from './retry.js';
import { runJob } from './run-job.js';
import { verify } from './verify.js';

/** How long a commit waits for its successors to be prepared, so that they start in the same one. */
const PREPARE_GRACE_MS = 20;

/**
 * Drives one operation while it holds its lease: the only writer of its rows beside people's commands (S12). Learn, decide,
 * commit, act; nothing is done on a host that has not been committed before (S13).
 */
export class Driver {
  private readonly inbox: Inbox;
  /** By name: `run:<attempt>`, `prepare:<node>`, `check:<node>`, `cancel:<attempt>`, `provides`. */
  private readonly inFlight: InFlight;
  private readonly prepared = new Map<string, Extract<PrepareResult, { kind: 'prepared' }>>();
  private readonly checkFirst = new Map<string, Extract<PrepareResult, { kind: 'check_first' }>>();
  /** Nodes whose proof was asked in vain: they run now. */
  private readonly askedInVain = new Set<string>();
  private readonly notBefore = new Map<string, number>();
  private readonly blockedSince = new Map<string, number>();
  private readonly backoff = new Map<string, number>();
  private stored!: StoredOperation;
  private state!: OperationState;
  private context!: DecideContext;
  private shelf!: ArtifactShelf;
  private proofs!: ReadonlyMap<string, string>;
  private reloadWanted = false;
  /** Values made at the last look; they ride with the first commit after it, before anything may use them. */
  private made: Input[] = [];

  constructor(
    private readonly deps: EngineDependencies,
    private readonly options: EngineOptions,
    private readonly lease: Lease,
  ) {
    this.inbox = new Inbox(options.rideMs);
    this.inFlight = new InFlight(
      async (name, error) => {
        this.deps.report(`operation ${this.lease.operationId}: ${name}`, error);
        await this.deps.clock.sleep(this.nextBackoff(name), this.inFlight.end);
      },
      () => this.inbox.poke(),
    );
  }

  /** Resolves when the operation is over, waits for a person only, or this driver lost it or was stopped. */
  async drive(): Promise<'over' | 'parked' | 'lost' | 'stopped'> {
    try {
      if (!(await this.reload())) return 'lost';
      this.inbox.poke();
      for (;;) {
        const inputs = await this.inbox.next();
        this.inFlight.settle();
        if (this.inFlight.end.aborted) return this.inFlight.end.reason === 'lost' ? 'lost' : 'stopped';
        const outcome = await this.step(inputs);
        if (outcome !== 'go_on') return outcome;
      }
    } finally {
      this.inbox.close();
      // Waits of this driver end with it: a timer of two minutes must not hold the process.
      this.inFlight.stop('over');
    }
  }

  /** A command came too late for the last look. */
  get wantsAnother(): boolean {
    return this.reloadWanted;
  }

  /** A command wrote the operation: look again. */
  changed(): void {
    this.reloadWanted = true;
    this.inbox.poke();
  }

  /** The lease is gone, or the process ends. Remote work goes on; whoever drives next attaches to it. */
  stop(why: 'lost' | 'stopped'): void {
    if (this.inFlight.end.aborted) return;
    this.inFlight.stop(why);
    this.inbox.poke();
  }

  private async step(inputs: Input[]): Promise<'go_on' | 'over' | 'parked' | 'lost'> {
    try {
      if (this.reloadWanted && !(await this.reload())) return 'lost';
      const batch = new Batch(this.state, this.stored.plan, ENGINE);
      for (const input of [...this.made.splice(0), ...inputs]) this.learn(batch, input);
      let next = advance(batch, this.context, this.options.capacity);
      if (await this.prepareReady(next)) {
        this.startPrepared(batch);
        next = advance(batch, this.context, this.options.capacity);
      }
      if (!batch.isEmpty) {
        const parked = this.isParked();
        const result = await this.deps.store.commit(this.lease, batch.toChange(parked ? null : 0));
        if (result === 'fenced') return 'lost';
        if (result === 'stale') {
          this.inbox.restore(inputs);
          return (await this.reload()) ? 'go_on' : 'lost';
        }
        this.deps.feed.announce(this.state.id, this.state.sequence);
      }
      if (isEnd(this.state.status)) return 'over';
      this.act(next);
      return this.isParked() && this.inFlight.isEmpty ? 'parked' : 'go_on';
    } catch (error) {
      if (this.inFlight.end.aborted) return 'lost';
      // The outcome of the commit is unknown: the rows decide. Inputs that were written already mean nothing twice.
      this.deps.report(`operation ${this.lease.operationId}: database`, error);
      this.inbox.restore(inputs);
      this.reloadWanted = true;
      await this.deps.clock.sleep(this.options.backoffMs, this.inFlight.end);
      return 'go_on';
    }
  }

  private async reload(): Promise<boolean> {
    const stored = await this.deps.store.load(this.lease.operationId);
    if (!stored) return false;
    this.reloadWanted = false;
    this.stored = stored;
    this.state = rebuild(stored);
    const plan = stored.plan;
    this.context = { plan, nodes: new Map(plan.nodes.map((n) => [n.key, n])), fence: this.lease.fence };
    const owners = new Set(
      plan.nodes.flatMap((n) => [
        ...n.inputs.map((i) => i.owner),
        ...n.outputs.map((o) => o.owner),
        ...n.checks.flatMap((c) => c.inputs.map((i) => i.owner)),
        ...Object.values(n.params).flatMap((p) => (p.kind === 'artifact' ? [p.owner] : [])),
      ]),
    );
    for (const g of plan.generate) owners.add(g.owner);
    this.shelf = await ArtifactShelf.load(this.deps, stored.id, owners);
    this.proofs = await this.deps.proofs.proofs(plan.subject.key);
    const made = isEnd(stored.status) ? [] : await generateMissing(this.deps, plan, this.shelf);
    this.made = made.length > 0 ? [{ kind: 'generated', artifacts: made }] : [];
    return true;
  }

  private learn(batch: Batch, input: Input): void {
    apply(batch, this.context, input);
    if (input.kind === 'generated') for (const a of input.artifacts) this.shelf.add(a);
    if (input.kind === 'blocked' || input.kind === 'waiting') this.noteBlocked(input.nodeKey, input.reason);
    if (input.kind === 'started') this.noteBlocked(input.nodeKey, null);
    if (input.kind !== 'verified') return;
    // The shelf may be newer than the one that the attempt was given: a command made this driver look again meanwhile.
    for (const output of input.outputs) this.shelf.add(output);
    const node = this.state.nodes.get(input.nodeKey);
    const attempt = this.state.attempts.get(input.nodeKey);
    if (node?.status !== 'ready' || !attempt) return;
    const run = this.stored.plan.jobs[this.context.nodes.get(node.key)?.job ?? '']?.run ?? null;
    const status = attempt.status === 'unknown' ? 'unknown' : 'failed';
    this.holdBack(
      node.key,
      retryDelay(run, attempt.end, { status, reason: attempt.reason }, node.tries) ?? 0,
    );
  }

  /** An unreachable host asks for a person only after a while; the node says so by `overdue`, which survives this driver. */
  private noteBlocked(nodeKey: string, why: Reason | null): void {
    if (why?.code !== 'unreachable' && why?.code !== 'disconnected') {
      this.blockedSince.delete(nodeKey);
      return;
    }
    if (this.blockedSince.has(nodeKey)) return;
    const since = this.deps.clock.elapsed();
    this.blockedSince.set(nodeKey, since);
    void this.deps.clock.sleep(this.options.unreachableAfterMs, this.inFlight.end).then(() => {
      if (this.blockedSince.get(nodeKey) !== since || this.inFlight.end.aborted) return;
      const node = this.state.nodes.get(nodeKey);
      if (node?.reason)
        this.inbox.post(
          {
            kind: 'waiting',
            nodeKey,
            reason: { code: node.reason.code, args: { ...node.reason.args, overdue: 'yes' } },
          },
          'now',
        );
    });
  }

  /** Prepares what is ready; true when something can start in the commit that is being made. */
  private async prepareReady(next: Next): Promise<boolean> {
    const now = this.deps.clock.elapsed();
    const jobs: Promise<void>[] = [];
    for (const key of next.prepare) {
      const node = this.context.nodes.get(key);
      if (!node || this.prepared.has(key) || this.checkFirst.has(key) || (this.notBefore.get(key) ?? 0) > now)
        continue;
      if (this.inFlight.has(`prepare:${key}`) || this.inFlight.has(`check:${key}`)) continue;
      jobs.push(this.inFlight.start(`prepare:${key}`, () => this.prepareNode(node, null)));
    }
    if (jobs.length > 0)
      await Promise.race([Promise.all(jobs), this.deps.clock.sleep(PREPARE_GRACE_MS, this.inFlight.end)]);
    return this.prepared.size > 0;
  }

  private async prepareNode(node: PlanNode, resume: AttemptState | null): Promise<void> {
    const result = await prepare(this.deps, {
      plan: this.stored.plan,
      node,
      operationId: this.state.id,
      fence: this.lease.fence,
      shelf: this.shelf,
      former: this.state.attempts.get(node.key) ?? null,
      proved: this.askedInVain.has(node.key) ? undefined : this.proofs.get(proofKeyOf(node)),
      resume,
    });
    if (result.kind === 'waiting') {
      this.inbox.post({ kind: 'waiting', nodeKey: node.key, reason: result.reason }, 'now');
      this.holdBack(node.key, this.nextBackoff(node.key));
      return;
    }
    this.backoff.delete(node.key);
    if (result.kind === 'prepared') this.prepared.set(node.key, result);
    else this.checkFirst.set(node.key, result);
    this.inbox.poke();
  }

  private startPrepared(batch: Batch): void {
    for (const [nodeKey, { prepared }] of this.prepared)
      apply(batch, this.context, { kind: 'prepared', nodeKey, prepared });
  }

  /** Brings what is in flight in line with the committed state: at a take-over exactly as after an own commit. */
  private act(next: Next): void {
    for (const node of this.state.nodes.values()) {
      const attempt = this.state.attempts.get(node.key);
      if (node.status === 'ready') this.actOnReady(node);
      else this.checkFirst.delete(node.key);
      if (node.status !== 'ready' && node.status !== 'running') this.prepared.delete(node.key);
      if (isCancelledAgain(node) && attempt) this.startCancel(node, attempt);
      if (!attempt || isAttemptEnd(attempt.status)) continue;
      if (attempt.status === 'cancelling') this.startCancel(node, attempt);
      else this.startRun(node, attempt);
    }
    if (next.verifyProvides && !this.inFlight.has('provides'))
      void this.inFlight.start('provides', (signal) => this.verifyProvides(signal));
  }

  private actOnReady(node: NodeState): void {
    const first = this.checkFirst.get(node.key);
    const planned = this.context.nodes.get(node.key);
    if (!first || !planned || this.inFlight.has(`check:${node.key}`)) return;
    void this.inFlight.start(`check:${node.key}`, async (signal) => {
      const evidence = await verify(this.deps, this.options, {
        plan: this.stored.plan,
        checks: planned.checks,
        shelf: this.shelf,
        nodeKey: node.key,
        attemptId: first.attemptId,
        signal,
        // Whether the old proof still holds is one question; only a node without a run may insist on the answer.
        once: this.stored.plan.jobs[planned.job ?? '']?.run !== null,
        waiting: (why) =>
          this.inbox.post({ kind: 'waiting', nodeKey: node.key, reason: why }, why === null ? 'lazy' : 'now'),
      });
      if (evidence === null) return;
      this.checkFirst.delete(node.key);
      const confirmed = evidence.every((e) => e.verdict === 'confirmed');
      if (!confirmed && this.stored.plan.jobs[planned.job ?? '']?.run) {
        this.askedInVain.add(node.key);
        this.inbox.poke();
        return;
      }
      this.inbox.post(
        {
          kind: 'checked',
          nodeKey: node.key,
          attemptId: first.attemptId,
          host: first.host.key,
          inputHash: first.inputHash,
          evidence,
          confirmed,
        },
        'now',
      );
    });
  }

  private startRun(node: NodeState, attempt: AttemptState): void {
    const planned = this.context.nodes.get(node.key);
    if (!planned || this.inFlight.has(`run:${attempt.id}`)) return;
    void this.inFlight.start(`run:${attempt.id}`, async (signal) => {
      const ready = this.prepared.get(node.key);
      this.prepared.delete(node.key);
      const result =
        ready?.prepared.attemptId === attempt.id
          ? ready
          : await prepare(this.deps, {
              plan: this.stored.plan,
              node: planned,
              operationId: this.state.id,
              fence: this.lease.fence,
              shelf: this.shelf,
              former: null,
              proved: undefined,
              resume: attempt,
            });
      if (result.kind !== 'prepared') {
        const why = result.kind === 'waiting' ? result.reason : reason('input_missing', { input: node.key });
        this.inbox.post({ kind: 'waiting', nodeKey: node.key, reason: why }, 'now');
        await this.deps.clock.sleep(this.nextBackoff(node.key), signal);
        this.inbox.poke();
        return;
      }
      await runJob(this.deps, this.options, {
        plan: this.stored.plan,
        node: planned,
        attempt,
        inputHash: result.prepared.inputHash,
        host: result.host,
        bundle: result.bundle,
        shelf: this.shelf,
        fresh: ready?.prepared.attemptId === attempt.id,
        signal,
        post: (input, urgency) => this.inbox.post(input, urgency),
      });
    });
  }

  private startCancel(node: NodeState, attempt: AttemptState): void {
    // The follower must not report an end that the kill made.
    this.inFlight.abort(`run:${attempt.id}`);
    if (this.inFlight.has(`cancel:${attempt.id}`)) return;
    void this.inFlight.start(`cancel:${attempt.id}`, async (signal) => {
      const confirmed = await cancelAttempt(this.deps, this.options, {
        operationId: this.state.id,
        attempt,
        fence: this.lease.fence,
        signal,
        waiting: (why) => this.inbox.post({ kind: 'waiting', nodeKey: node.key, reason: why }, 'now'),
        redaction: await this.redactionOf(node.key),
      });
      if (confirmed !== null)
        this.inbox.post({ kind: 'cancelled', nodeKey: node.key, attemptId: attempt.id, confirmed }, 'now');
    });
  }

  private async redactionOf(nodeKey: string): Promise<Redaction | null> {
    const outputs = this.context.nodes.get(nodeKey)?.outputs ?? [];
    if (outputs.some((o) => o.sensitive && o.redact.length === 0)) return null;
    return { values: await this.shelf.secretValues(), patterns: outputs.flatMap((o) => o.redact) };
  }

  private async verifyProvides(signal: AbortSignal): Promise<void> {
    const evidence = await verify(this.deps, this.options, {
      plan: this.stored.plan,
      checks: this.stored.plan.provides.flatMap((p) => p.bound),
      shelf: this.shelf,
      nodeKey: null,
      attemptId: null,
      signal,
      waiting: (why) => this.noteProvidesBlocked(why),
    });
    if (evidence === null) return;
    const open = evidence.find((e) => e.verdict !== 'confirmed');
    this.inbox.post(
      { kind: 'provides', evidence, confirmed: open === undefined, observed: open?.observed ?? '' },
      'now',
    );
  }

  private providesBlockedSince: number | null = null;

  private noteProvidesBlocked(why: Reason | null): void {
    const now = this.deps.clock.elapsed();
    this.providesBlockedSince = why === null ? null : (this.providesBlockedSince ?? now);
    if (why === null || this.providesBlockedSince === null) return;
    const patient = why.code === 'unreachable' || why.code === 'disconnected';
    if (!patient || now - this.providesBlockedSince >= this.options.unreachableAfterMs)
      this.inbox.post({ kind: 'provides_blocked', reason: why }, 'now');
  }

  private holdBack(nodeKey: string, ms: number): void {
    this.notBefore.set(nodeKey, this.deps.clock.elapsed() + ms);
    void this.deps.clock.sleep(ms + 1, this.inFlight.end).then(() => this.inbox.poke());
  }

  private nextBackoff(name: string): number {
    const ms = Math.min(this.options.maxBackoffMs, this.backoff.get(name) ?? this.options.backoffMs);
    this.backoff.set(name, ms * 2);
    return ms;
  }

  /** Only a person can move it on: nothing runs, nothing is ready, nothing waits for a host. */
  private isParked(): boolean {
    if (this.state.status !== 'needs_attention' && this.state.status !== 'paused') return false;
    if (this.state.open === 0 && this.state.reason?.code !== 'provides_unproven') return false;
    return [...this.state.nodes.values()].every(
      (n) => n.status !== 'ready' && n.status !== 'running' && n.status !== 'verifying',
    );
  }
}
