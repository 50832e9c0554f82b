import type { Actor } from './actor.js';
import type { RunEnd } from './evidence.js';
import { CapstanError } from './problem.js';
import type { Reason } from './reason.js';
import type { AttemptStatus, NodeStatus, OperationStatus } from './states.js';
import { ATTEMPT_MOVES, mayMove, NODE_MOVES, needsPerson, OPERATION_MOVES } from './states.js';

/** What may be said of an operation, as data. `v` is the version of the whole union (S34): a reader that does not know it decides nothing. */
export type OperationEventBody =
  | { readonly type: 'operation_planned' }
  | { readonly type: 'operation_started' }
  | { readonly type: 'operation_waiting'; readonly reason: Reason }
  | {
      readonly type: 'operation_needs_attention';
      readonly reasons: readonly { readonly nodeKey: string | null; readonly reason: Reason }[];
    }
  | { readonly type: 'operation_resumed' }
  | { readonly type: 'operation_cancelling' }
  | { readonly type: 'operation_cancelled' }
  | { readonly type: 'operation_succeeded' }
  | { readonly type: 'operation_failed'; readonly reason: Reason }
  /** The declared `provides` were re-checked at the end; the evidence rows carry this sequence. */
  | { readonly type: 'operation_verified'; readonly confirmed: boolean }
  /** Why a node that could go on does not (L11); `null` clears it. */
  | { readonly type: 'node_waiting'; readonly nodeKey: string; readonly reason: Reason | null }
  | { readonly type: 'node_retry_requested'; readonly nodeKey: string }
  | { readonly type: 'node_cancelled'; readonly nodeKey: string }
  /** A node that only checks, and whose checks said no. */
  | { readonly type: 'node_unproven'; readonly nodeKey: string; readonly reason: Reason }
  | {
      readonly type: 'attempt_starting';
      readonly nodeKey: string;
      readonly attemptId: string;
      readonly number: number;
      readonly host: string;
      readonly runRoot: string;
      readonly fence: string;
      readonly bundleHash: string;
    }
  | {
      readonly type: 'attempt_started';
      readonly nodeKey: string;
      readonly attemptId: string;
      readonly incarnation: string;
    }
  | {
      readonly type: 'attempt_disconnected';
      readonly nodeKey: string;
      readonly attemptId: string;
      readonly reason: Reason;
    }
  | { readonly type: 'attempt_reconnected'; readonly nodeKey: string; readonly attemptId: string }
  /** The end is recorded: only checks started after this count as evidence (S4). */
  | {
      readonly type: 'attempt_ended';
      readonly nodeKey: string;
      readonly attemptId: string;
      readonly end: RunEnd;
    }
  | { readonly type: 'attempt_cancelling'; readonly nodeKey: string; readonly attemptId: string }
  /** `node` is where the node goes: `ready` when it will be tried again by itself. */
  | {
      readonly type: 'attempt_closed';
      readonly nodeKey: string;
      readonly attemptId: string;
      readonly status: 'succeeded' | 'failed' | 'unproven' | 'unknown' | 'cancelled' | 'cancel_unconfirmed';
      readonly reason: Reason | null;
      readonly node: 'succeeded' | 'failed' | 'unproven' | 'unknown' | 'cancelled' | 'ready';
    }
  /** The checks passed already: an attempt without a run folder. */
  | {
      readonly type: 'attempt_satisfied';
      readonly nodeKey: string;
      readonly attemptId: string;
      readonly number: number;
      readonly host: string;
    };

export const EVENT_VERSION = 1;

export type OperationEventType = OperationEventBody['type'];

/** A stored event. The sequence has no gap within its operation (L9). */
export type OperationEvent = OperationEventBody & {
  readonly sequence: number;
  readonly v: number;
  readonly actor: Actor;
};

export interface NodeState {
  readonly key: string;
  status: NodeStatus;
  reason: Reason | null;
  /** Dependencies that have not succeeded yet. */
  pending: number;
  /** Number of the newest attempt; 0 = none yet. */
  attempt: number;
  attemptId: string | null;
  /** Attempts since the last order of a person: what the automatic retry limit counts. */
  tries: number;
  /** Sequence of the last event that changed this node: the upsert rule of the live protocol. */
  sequence: number;
  /** Sequence at which it became ready: what `already_satisfied` evidence is judged against (S4). */
  readySequence: number;
  readonly successors: readonly string[];
}

export interface AttemptState {
  readonly id: string;
  readonly nodeKey: string;
  readonly number: number;
  readonly host: string;
  readonly runRoot: string;
  readonly fence: string;
  readonly bundleHash: string;
  status: AttemptStatus;
  reason: Reason | null;
  incarnation: string | null;
  end: RunEnd | null;
  endedSequence: number;
  sequence: number;
}

/** One run of a plan, as its driver holds it. */
export interface OperationState {
  readonly id: string;
  sequence: number;
  status: OperationStatus;
  reason: Reason | null;
  /** Nodes that have not succeeded, been skipped or superseded. */
  open: number;
  readonly nodes: Map<string, NodeState>;
  /** The newest attempt of each node that has one. */
  readonly attempts: Map<string, AttemptState>;
}

/** The state before the first event: every node pending, counted from the plan's edges. */
export function initialState(
  id: string,
  nodes: readonly { readonly key: string; readonly dependsOn: readonly string[] }[],
): OperationState {
  const successors = new Map<string, string[]>(nodes.map((n) => [n.key, []]));
  for (const n of nodes) for (const d of n.dependsOn) successors.get(d)?.push(n.key);
  return {
    id,
    sequence: 0,
    status: 'planned',
    reason: null,
    open: nodes.length,
    attempts: new Map(),
    nodes: new Map(
      nodes.map((n) => [
        n.key,
        {
          key: n.key,
          status: 'pending',
          reason: null,
          pending: n.dependsOn.length,
          attempt: 0,
          attemptId: null,
          tries: 0,
          sequence: 0,
          readySequence: 0,
          successors: successors.get(n.key) ?? [],
        },
      ]),
    ),
  };
}

/**
 * Applies one event to a state in place: the driver owns its state, and copying 1,000 nodes per event would cost O(n²).
 * Deterministic: no clock, no I/O. An illegal move is a bug and throws; nothing has been written then.
 */
export function evolve(state: OperationState, event: OperationEvent): void {
  if (event.v > EVENT_VERSION)
    throw new CapstanError('needs_version', `event version ${event.v} is newer than ${EVENT_VERSION}`);
  if (event.sequence !== state.sequence + 1) {
    throw new CapstanError('sequence_gap', `event ${event.sequence} after ${state.sequence} in ${state.id}`);
  }
  state.sequence = event.sequence;
  switch (event.type) {
    case 'operation_planned':
      for (const node of state.nodes.values()) if (node.pending === 0) makeReady(state, node, null);
      return;
    case 'operation_started':
      return moveOperation(state, 'running', null);
    case 'operation_resumed':
      return moveOperation(state, 'running', null);
    case 'operation_waiting':
      return moveOperation(state, 'waiting', event.reason);
    case 'operation_needs_attention':
      return moveOperation(state, 'needs_attention', event.reasons[0]?.reason ?? null);
    case 'operation_cancelling':
      return moveOperation(state, 'cancelling', null);
    case 'operation_cancelled':
      return moveOperation(state, 'cancelled', null);
    case 'operation_succeeded':
      return moveOperation(state, 'succeeded', null);
    case 'operation_failed':
      return moveOperation(state, 'failed', event.reason);
    case 'operation_verified':
      return;
    case 'node_waiting': {
      const node = nodeOf(state, event.nodeKey);
      node.reason = event.reason;
      node.sequence = state.sequence;
      return;
    }
    case 'node_retry_requested': {
      const node = nodeOf(state, event.nodeKey);
      node.tries = 0;
      return makeReady(state, node, { code: 'retry_requested', args: {} });
    }
    case 'node_cancelled':
      return moveNode(state, nodeOf(state, event.nodeKey), 'cancelled', {
        code: 'cancelled_by_person',
        args: {},
      });
    case 'node_unproven':
      return moveNode(state, nodeOf(state, event.nodeKey), 'unproven', event.reason);
    case 'attempt_starting': {
      const node = nodeOf(state, event.nodeKey);
      begin(state, node, event, 'starting');
      return moveNode(state, node, 'running', null);
    }
    case 'attempt_satisfied': {
      const node = nodeOf(state, event.nodeKey);
      const attempt = begin(state, node, { ...event, runRoot: '', fence: '', bundleHash: '' }, 'verifying');
      attempt.end = { kind: 'not_run' };
      attempt.endedSequence = node.readySequence;
      moveAttempt(state, attempt, 'succeeded', { code: 'already_satisfied', args: {} });
      moveNode(state, node, 'succeeded', { code: 'already_satisfied', args: {} });
      return release(state, node);
    }
    case 'attempt_started': {
      const attempt = attemptOf(state, event);
      attempt.incarnation = event.incarnation;
      return moveAttempt(state, attempt, 'running', null);
    }
    case 'attempt_disconnected': {
      const node = nodeOf(state, event.nodeKey);
      node.reason = event.reason;
      node.sequence = state.sequence;
      return moveAttempt(state, attemptOf(state, event), 'disconnected', event.reason);
    }
    case 'attempt_reconnected': {
      const node = nodeOf(state, event.nodeKey);
      node.reason = null;
      node.sequence = state.sequence;
      return moveAttempt(state, attemptOf(state, event), 'running', null);
    }
    case 'attempt_ended': {
      const attempt = attemptOf(state, event);
      attempt.end = event.end;
      attempt.endedSequence = state.sequence;
      moveAttempt(state, attempt, 'verifying', null);
      return moveNode(state, nodeOf(state, event.nodeKey), 'verifying', null);
    }
    case 'attempt_cancelling':
      return moveAttempt(state, attemptOf(state, event), 'cancelling', null);
    case 'attempt_closed': {
      const node = nodeOf(state, event.nodeKey);
      moveAttempt(state, attemptOf(state, event), event.status, event.reason);
      if (event.node === 'ready') return makeReady(state, node, event.reason);
      moveNode(state, node, event.node, event.reason);
      if (event.node === 'succeeded') release(state, node);
      return;
    }
  }
}

/** Nodes that stopped without success, in plan order: what a person is asked about. */
export function stoppedNodes(state: OperationState): readonly NodeState[] {
  return [...state.nodes.values()].filter((n) => needsPerson(n.status));
}

function begin(
  state: OperationState,
  node: NodeState,
  e: { attemptId: string; number: number; host: string; runRoot: string; fence: string; bundleHash: string },
  status: AttemptStatus,
): AttemptState {
  if (e.number !== node.attempt + 1)
    throw new CapstanError('attempt_number', `attempt ${e.number} of ${node.key} after ${node.attempt}`);
  const attempt: AttemptState = {
    id: e.attemptId,
    nodeKey: node.key,
    number: e.number,
    host: e.host,
    runRoot: e.runRoot,
    fence: e.fence,
    bundleHash: e.bundleHash,
    status,
    reason: null,
    incarnation: null,
    end: null,
    endedSequence: 0,
    sequence: state.sequence,
  };
  node.attempt = e.number;
  node.attemptId = e.attemptId;
  node.tries += 1;
  state.attempts.set(node.key, attempt);
  return attempt;
}

function release(state: OperationState, done: NodeState): void {
  state.open -= 1;
  for (const key of done.successors) {
    const next = nodeOf(state, key);
    next.pending -= 1;
    if (next.pending === 0 && next.status === 'pending') makeReady(state, next, null);
  }
}

function makeReady(state: OperationState, node: NodeState, why: Reason | null): void {
  moveNode(state, node, 'ready', why);
  node.readySequence = state.sequence;
}

function moveOperation(state: OperationState, to: OperationStatus, why: Reason | null): void {
  if (!mayMove(OPERATION_MOVES, state.status, to)) illegal('operation', state.id, state.status, to);
  state.status = to;
  state.reason = why;
}

function moveNode(state: OperationState, node: NodeState, to: NodeStatus, why: Reason | null): void {
  if (!mayMove(NODE_MOVES, node.status, to)) illegal('node', node.key, node.status, to);
  node.status = to;
  node.reason = why;
  node.sequence = state.sequence;
}

function moveAttempt(
  state: OperationState,
  attempt: AttemptState,
  to: AttemptStatus,
  why: Reason | null,
): void {
  if (!mayMove(ATTEMPT_MOVES, attempt.status, to)) illegal('attempt', attempt.id, attempt.status, to);
  attempt.status = to;
  attempt.reason = why;
  attempt.sequence = state.sequence;
}

function nodeOf(state: OperationState, key: string): NodeState {
  const node = state.nodes.get(key);
  if (!node) throw new CapstanError('unknown_node', `no node ${key} in ${state.id}`);
  return node;
}

function attemptOf(state: OperationState, e: { nodeKey: string; attemptId: string }): AttemptState {
  const attempt = state.attempts.get(e.nodeKey);
  if (attempt?.id !== e.attemptId)
    throw new CapstanError('unknown_attempt', `attempt ${e.attemptId} is not the newest of ${e.nodeKey}`);
  return attempt;
}

function illegal(what: string, id: string, from: string, to: string): never {
  throw new CapstanError('illegal_transition', `${what} ${id}: ${from} → ${to}`);
}
