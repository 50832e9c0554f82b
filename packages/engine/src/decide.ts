import type { AttemptState, Evidence, NodeState, Plan, PlanNode, Reason, RunEnd } from '@capstan/model';
import { CapstanError, isAttemptEnd, judge, reason } from '@capstan/model';
import { asking, isOver, sameReason } from './attention.js';
import type { Batch } from './batch.js';
import { advanceCancel, applyCancelledAgain } from './decide-cancel.js';
import { factsOf, provedAbsent } from './facts.js';
import type { ArtifactWrite } from './ports/operation-store.js';
import { proofKey } from './ports/stores.js';
import { retryDelay } from './retry.js';

/** What a node needs to start, made before the commit that starts it. */
export interface Prepared {
  readonly attemptId: string;
  readonly host: string;
  readonly runRoot: string;
  readonly bundleHash: string;
  readonly inputHash: string;
}

/** What the driver has learnt; decisions are made from these and the state alone. */
export type Input =
  | { readonly kind: 'prepared'; readonly nodeKey: string; readonly prepared: Prepared }
  | { readonly kind: 'generated'; readonly artifacts: readonly ArtifactWrite[] }
  /** A node that only checks (or whose proof may still hold) was checked after it became ready. */
  | {
      readonly kind: 'checked';
      readonly nodeKey: string;
      readonly attemptId: string;
      readonly host: string;
      readonly inputHash: string;
      readonly evidence: readonly Evidence[];
      readonly confirmed: boolean;
    }
  | { readonly kind: 'waiting'; readonly nodeKey: string; readonly reason: Reason | null }
  | {
      readonly kind: 'started';
      readonly nodeKey: string;
      readonly attemptId: string;
      readonly incarnation: string;
    }
  | {
      readonly kind: 'blocked';
      readonly nodeKey: string;
      readonly attemptId: string;
      readonly reason: Reason;
    }
  | { readonly kind: 'ended'; readonly nodeKey: string; readonly attemptId: string; readonly end: RunEnd }
  | {
      readonly kind: 'verified';
      readonly nodeKey: string;
      readonly attemptId: string;
      readonly inputHash: string;
      readonly evidence: readonly Evidence[];
      readonly outputs: readonly ArtifactWrite[];
      readonly missing: readonly string[];
      /** The last line of its output, masked; empty when it printed nothing. */
      readonly said: string;
    }
  | {
      readonly kind: 'cancelled';
      readonly nodeKey: string;
      readonly attemptId: string;
      readonly confirmed: boolean;
    }
  /** The last proof cannot be asked at the moment. */
  | { readonly kind: 'provides_blocked'; readonly reason: Reason }
  | {
      readonly kind: 'provides';
      readonly evidence: readonly Evidence[];
      readonly confirmed: boolean;
      readonly observed: string;
    };

export interface DecideContext {
  readonly plan: Plan;
  readonly nodes: ReadonlyMap<string, PlanNode>;
  readonly fence: string;
}

/** Adds to the batch what one input means; an input that the state has overtaken means nothing. */
export function apply(batch: Batch, context: DecideContext, input: Input): void {
  const { state } = batch;
  if (input.kind === 'provides') return applyProvides(batch, context, input);
  if (input.kind === 'provides_blocked') {
    if (state.open === 0 && state.status === 'running')
      batch.emit({ type: 'operation_needs_attention', reasons: [{ nodeKey: null, reason: input.reason }] });
    return;
  }
  if (input.kind === 'generated') {
    batch.artifacts.push(...input.artifacts);
    return;
  }
  const node = state.nodes.get(input.nodeKey);
  const planned = context.nodes.get(input.nodeKey);
  if (!node || !planned) throw new CapstanError('unknown_node', `no node ${input.nodeKey} in ${state.id}`);
  switch (input.kind) {
    case 'waiting':
      if (isOver(node) || sameReason(node.reason, input.reason)) return;
      batch.emit({ type: 'node_waiting', nodeKey: node.key, reason: input.reason });
      return;
    case 'prepared':
      if (node.status === 'ready' && mayStart(batch)) start(batch, context, planned, node, input.prepared);
      return;
    case 'checked':
      if (node.status === 'ready') applyChecked(batch, context, planned, node, input);
      return;
  }
  const attempt = state.attempts.get(node.key);
  if (attempt?.id !== input.attemptId) return;
  if (input.kind === 'cancelled' && attempt.status === 'cancel_unconfirmed')
    return applyCancelledAgain(batch, node, input.confirmed);
  if (isAttemptEnd(attempt.status)) return;
  switch (input.kind) {
    case 'started':
      if (
        attempt.status === 'starting' ||
        (attempt.status === 'disconnected' && attempt.incarnation === null)
      ) {
        batch.emit({
          type: 'attempt_started',
          nodeKey: node.key,
          attemptId: attempt.id,
          incarnation: input.incarnation,
        });
      } else if (attempt.status === 'disconnected') {
        batch.emit({ type: 'attempt_reconnected', nodeKey: node.key, attemptId: attempt.id });
      }
      return;
    case 'blocked':
      if (attempt.status === 'starting' || attempt.status === 'running') {
        batch.emit({
          type: 'attempt_disconnected',
          nodeKey: node.key,
          attemptId: attempt.id,
          reason: input.reason,
        });
      } else if (!sameReason(node.reason, input.reason)) {
        batch.emit({ type: 'node_waiting', nodeKey: node.key, reason: input.reason });
      }
      return;
    case 'ended':
      if (
        attempt.status === 'starting' ||
        attempt.status === 'running' ||
        attempt.status === 'disconnected'
      ) {
        batch.emit({ type: 'attempt_ended', nodeKey: node.key, attemptId: attempt.id, end: input.end });
      }
      return;
    case 'verified':
      if (attempt.status === 'verifying') applyVerified(batch, context, planned, node, attempt, input);
      return;
    case 'cancelled':
      if (attempt.status !== 'cancelling') return;
      batch.emit({
        type: 'attempt_closed',
        nodeKey: node.key,
        attemptId: attempt.id,
        status: input.confirmed ? 'cancelled' : 'cancel_unconfirmed',
        reason: reason(input.confirmed ? 'cancelled_by_person' : 'cancel_unconfirmed'),
        node: input.confirmed ? 'cancelled' : 'unknown',
      });
      return;
  }
}

/** What follows from the state itself: who may start, who is asked, what is over. Returns what is still to be done. */
export interface Next {
  /** Ready nodes that want to be prepared, in plan order, within capacity. */
  readonly prepare: readonly string[];
  readonly verifyProvides: boolean;
}

export function advance(batch: Batch, context: DecideContext, capacity: number): Next {
  const { state } = batch;
  if (state.status === 'cancelling') {
    advanceCancel(batch);
    return { prepare: [], verifyProvides: false };
  }
  if (state.status === 'planned' || state.status === 'waiting') batch.emit({ type: 'operation_started' });
  if (state.status !== 'running' && state.status !== 'needs_attention')
    return { prepare: [], verifyProvides: false };
  const all = [...state.nodes.values()];
  const active = all.filter((n) => n.status === 'running' || n.status === 'verifying').length;
  const ready = all.filter((n) => n.status === 'ready');
  if (state.open === 0) return { prepare: [], verifyProvides: finish(batch, context) };
  const asked = asking(batch, active + ready.length === 0);
  if (asked.length > 0 && state.status === 'running')
    batch.emit({ type: 'operation_needs_attention', reasons: asked });
  if (asked.length === 0 && state.status === 'needs_attention') batch.emit({ type: 'operation_resumed' });
  return { prepare: ready.slice(0, Math.max(0, capacity - active)).map((n) => n.key), verifyProvides: false };
}

function mayStart(batch: Batch): boolean {
  return batch.state.status === 'running' || batch.state.status === 'needs_attention';
}

function start(
  batch: Batch,
  context: DecideContext,
  planned: PlanNode,
  node: NodeState,
  prepared: Prepared,
): void {
  batch.emit({
    type: 'attempt_starting',
    nodeKey: node.key,
    attemptId: prepared.attemptId,
    number: node.attempt + 1,
    host: prepared.host,
    runRoot: prepared.runRoot,
    fence: context.fence,
    bundleHash: prepared.bundleHash,
  });
  for (const d of planned.disturbs) batch.staleFacts.push({ resource: d.subject, capability: d.capability });
}

function applyChecked(
  batch: Batch,
  context: DecideContext,
  planned: PlanNode,
  node: NodeState,
  input: Extract<Input, { kind: 'checked' }>,
): void {
  const evidence = input.evidence.map((e) => ({
    ...e,
    attemptId: input.confirmed ? input.attemptId : null,
    startedAfter: node.readySequence,
  }));
  batch.evidence.push(...evidence);
  if (!input.confirmed) {
    const open = evidence.find((e) => e.verdict !== 'confirmed');
    batch.emit({
      type: 'node_unproven',
      nodeKey: node.key,
      reason: reason('evidence_failed', {
        checks: open?.check ?? '',
        observed: (open?.observed ?? 'nothing').slice(0, 300),
      }),
    });
    return;
  }
  batch.emit({
    type: 'attempt_satisfied',
    nodeKey: node.key,
    attemptId: input.attemptId,
    number: node.attempt + 1,
    host: input.host,
  });
  batch.facts.push(...factsOf(context.plan, planned.proofs, evidence));
  pushProof(batch, context, planned, input);
}

function applyVerified(
  batch: Batch,
  context: DecideContext,
  planned: PlanNode,
  node: NodeState,
  attempt: AttemptState,
  input: Extract<Input, { kind: 'verified' }>,
): void {
  const job = context.plan.jobs[planned.job ?? ''];
  // The runner starts checks only after it has posted the end, so their order in the sequence is theirs in time (S4).
  const evidence = input.evidence.map((e) => ({ ...e, startedAfter: attempt.endedSequence }));
  const judgement = judge({
    end: attempt.end ?? { kind: 'not_run' },
    endedSequence: attempt.endedSequence,
    required: planned.checks,
    evidence,
    missingOutputs: input.missing,
  });
  const why = judgement.reason && withWords(judgement.reason, input.said);
  const again =
    judgement.status !== 'succeeded' &&
    retryDelay(job?.run ?? null, attempt.end, judgement, node.tries) !== null;
  batch.evidence.push(...evidence);
  batch.emit({
    type: 'attempt_closed',
    nodeKey: node.key,
    attemptId: attempt.id,
    status: judgement.status,
    reason: why,
    node: again ? 'ready' : judgement.status,
  });
  if (judgement.status === 'succeeded') {
    batch.artifacts.push(...input.outputs);
    batch.facts.push(...factsOf(context.plan, planned.proofs, evidence));
    pushProof(batch, context, planned, input);
  } else {
    batch.facts.push(...provedAbsent(context.plan, planned.proofs, evidence));
  }
}

/** What the job itself said last is the first thing a person wants to know of a failure. */
function withWords(why: Reason, said: string): Reason {
  return said !== '' && (why.code === 'exit_code' || why.code === 'timed_out')
    ? { code: why.code, args: { ...why.args, said: `: ${said}` } }
    : why;
}

function pushProof(
  batch: Batch,
  context: DecideContext,
  planned: PlanNode,
  input: { attemptId: string; inputHash: string },
): void {
  const job = context.plan.jobs[planned.job ?? ''];
  if (!job?.skipIfProved || planned.job === null || planned.target === null) return;
  batch.proofs.push({
    subject: context.plan.subject.key,
    job: planned.job,
    target: planned.target,
    inputHash: input.inputHash,
    attemptId: input.attemptId,
  });
}

function finish(batch: Batch, context: DecideContext): boolean {
  // A failed last proof is a person's question: asking it again by itself would never end.
  if (context.plan.provides.length > 0) return batch.state.reason?.code !== 'provides_unproven';
  if (batch.state.status === 'needs_attention') batch.emit({ type: 'operation_resumed' });
  batch.emit({ type: 'operation_succeeded' });
  return false;
}

function applyProvides(
  batch: Batch,
  context: DecideContext,
  input: Extract<Input, { kind: 'provides' }>,
): void {
  const { state } = batch;
  if (state.open > 0 || (state.status !== 'running' && state.status !== 'needs_attention')) return;
  const evidence = input.evidence.map((e) => ({ ...e, startedAfter: state.sequence }));
  batch.evidence.push(...evidence);
  batch.emit({ type: 'operation_verified', confirmed: input.confirmed });
  if (input.confirmed) {
    batch.facts.push(...factsOf(context.plan, context.plan.provides, evidence));
    if (state.status === 'needs_attention') batch.emit({ type: 'operation_resumed' });
    batch.emit({ type: 'operation_succeeded' });
  } else if (state.status === 'running') {
    batch.facts.push(...provedAbsent(context.plan, context.plan.provides, evidence));
    batch.emit({
      type: 'operation_needs_attention',
      reasons: [
        { nodeKey: null, reason: reason('provides_unproven', { observed: input.observed.slice(0, 300) }) },
      ],
    });
  }
}

/** Key of a node's proof in the stored map. */
export function proofKeyOf(planned: PlanNode): string {
  return proofKey(planned.job ?? '', planned.target ?? '');
}
