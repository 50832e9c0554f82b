/**
 * Every status that an operation, a node, an attempt or a gate can have, and the only legal moves between them (S24).
 * All else that a person may want to know (host_busy, unreachable, disk_full …) is a reason code beside the status.
 */
export const OPERATION_STATUSES = [
  'planned',
  'waiting',
  'running',
  'needs_attention',
  'paused',
  'cancelling',
  'succeeded',
  'succeeded_with_waivers',
  'failed',
  'cancelled',
] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

export const NODE_STATUSES = [
  'pending',
  'ready',
  'running',
  'verifying',
  'succeeded',
  'failed',
  'unproven',
  'unknown',
  'cancelled',
  'skipped',
  'superseded',
] as const;
export type NodeStatus = (typeof NODE_STATUSES)[number];

export const ATTEMPT_STATUSES = [
  'starting',
  'running',
  'disconnected',
  'verifying',
  'cancelling',
  'succeeded',
  'failed',
  'unproven',
  'unknown',
  'cancelled',
  'cancel_unconfirmed',
] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

export const GATE_STATUSES = ['waiting', 'answered'] as const;
export type GateStatus = (typeof GATE_STATUSES)[number];

type Moves<S extends string> = Readonly<Record<S, readonly S[]>>;

export const OPERATION_MOVES: Moves<OperationStatus> = {
  planned: ['waiting', 'running', 'cancelling', 'cancelled'],
  waiting: ['running', 'needs_attention', 'paused', 'cancelling', 'cancelled'],
  running: ['waiting', 'needs_attention', 'paused', 'cancelling', 'succeeded', 'succeeded_with_waivers'],
  needs_attention: ['running', 'waiting', 'paused', 'cancelling', 'failed', 'cancelled'],
  paused: ['running', 'needs_attention', 'cancelling', 'cancelled'],
  cancelling: ['cancelled', 'needs_attention'],
  succeeded: [],
  succeeded_with_waivers: [],
  failed: [],
  cancelled: [],
};

export const NODE_MOVES: Moves<NodeStatus> = {
  pending: ['ready', 'cancelled', 'skipped', 'superseded'],
  ready: ['running', 'verifying', 'succeeded', 'unproven', 'cancelled', 'skipped', 'superseded'],
  running: ['verifying', 'failed', 'unproven', 'unknown', 'cancelled', 'ready'],
  verifying: ['succeeded', 'failed', 'unproven', 'unknown', 'cancelled', 'ready'],
  // A retry takes a node back to ready; what depends on it never left pending.
  failed: ['ready', 'succeeded', 'superseded', 'cancelled'],
  unproven: ['ready', 'succeeded', 'superseded', 'cancelled'],
  unknown: ['ready', 'succeeded', 'superseded', 'cancelled'],
  succeeded: ['superseded'],
  cancelled: [],
  skipped: [],
  superseded: [],
};

export const ATTEMPT_MOVES: Moves<AttemptStatus> = {
  starting: ['running', 'disconnected', 'verifying', 'cancelling', 'failed', 'unknown', 'cancelled'],
  running: ['disconnected', 'verifying', 'cancelling', 'unknown'],
  disconnected: ['running', 'verifying', 'cancelling', 'unknown'],
  verifying: ['succeeded', 'failed', 'unproven', 'unknown', 'cancelling', 'cancelled'],
  cancelling: ['cancelled', 'cancel_unconfirmed'],
  succeeded: [],
  failed: [],
  unproven: [],
  unknown: [],
  cancelled: [],
  cancel_unconfirmed: [],
};

/** Whether a status is an end: nothing leaves it but what the table says. */
export function isEnd(status: OperationStatus): boolean {
  return OPERATION_MOVES[status].length === 0;
}

/** Whether an attempt is over for good. */
export function isAttemptEnd(status: AttemptStatus): boolean {
  return ATTEMPT_MOVES[status].length === 0;
}

/** A node that is over without success: it makes the operation need a person. */
export function needsPerson(status: NodeStatus): boolean {
  return status === 'failed' || status === 'unproven' || status === 'unknown';
}

/** Whether `to` may follow `from`; staying is not a move. */
export function mayMove<S extends string>(moves: Moves<S>, from: S, to: S): boolean {
  return moves[from].includes(to);
}
