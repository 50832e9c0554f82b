import type { Statement } from './statement.js';

const OPERATION = `select o.id, o.number, o.plan_id, p.document as plan, e.name as environment, o.subject, o.created_by, o.created_at, o.ended_at,
    o.last_seq, o.status, o.reason, (o.driver is not null and o.driver_lease_until >= now()) as driven
  from operations o join plans p on p.id = o.plan_id join environments e on e.id = o.environment_id
  where o.id = $1 or o.number = $2`;

/** $1 id or null, $2 number or null. */
export const LOAD_OPERATION: Statement = { name: 'load_operation', text: OPERATION };

/** The same, and nobody else writes it until the transaction ends. */
export const LOCK_OPERATION: Statement = { name: 'lock_operation', text: `${OPERATION} for update of o` };

/** In plan order. $1 operation. */
export const LOAD_NODES: Statement = {
  name: 'load_nodes',
  text: `select key, status, reason, pending, attempt, attempt_id, tries, sequence, ready_sequence
    from nodes where operation_id = $1 order by ordinal`,
};

/** The newest attempt of each node that has one. $1 operation. */
export const LOAD_ATTEMPTS: Statement = {
  name: 'load_attempts',
  text: `select distinct on (node_key) * from attempts where operation_id = $1 order by node_key, number desc`,
};

export interface OperationRow {
  readonly id: string;
  readonly number: number;
  readonly plan_id: string;
  readonly plan: unknown;
  readonly environment: string;
  readonly subject: string;
  readonly created_by: string;
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly last_seq: number;
  readonly status: string;
  readonly reason: unknown;
  readonly driven: boolean;
}

export interface NodeRow {
  readonly key: string;
  readonly status: string;
  readonly reason: unknown;
  readonly pending: number;
  readonly attempt: number;
  readonly attempt_id: string | null;
  readonly tries: number;
  readonly sequence: number;
  readonly ready_sequence: number;
}

export interface AttemptRow {
  readonly id: string;
  readonly node_key: string;
  readonly number: number;
  readonly host: string;
  readonly run_root: string;
  readonly fence: string;
  readonly bundle_hash: string;
  readonly status: string;
  readonly reason: unknown;
  readonly incarnation: string | null;
  readonly run_end: unknown;
  readonly ended_sequence: number;
  readonly sequence: number;
  readonly started_at: string;
  readonly ended_at: string | null;
}
