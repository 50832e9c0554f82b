import type { Statement } from './statement.js';

/** The event that started it stands at the beginning of its history; once that is pruned its first attempt says about when. */
const COLUMNS = `select o.id, o.number, coalesce(p.title, to_json(o.title)) as title, o.status, o.reason, o.subject, e.name as environment,
    p.scenario, o.plan_id, p.revision, o.parent_operation_id, o.created_by, o.created_at, o.ended_at, o.last_seq,
    coalesce(
      (select s.at from events s where s.operation_id = o.id and s.type = 'operation_started' order by s.sequence limit 1),
      (select min(a.started_at) from attempts a where a.operation_id = o.id)) as started_at,
    (select l.at from events l where l.operation_id = o.id and l.sequence = o.last_seq) as changed_at`;
const BESIDE = 'join plans p on p.id = o.plan_id join environments e on e.id = o.environment_id';
const SUMMARY = `${COLUMNS} from operations o ${BESIDE}`;

/** Newest first. $1 how many, $2 before this operation or null, $3 subject or null, $4 statuses or null. */
export const LIST_OPERATIONS: Statement = {
  name: 'list_operations',
  text: `${SUMMARY} where ($2::text is null or o.number < (select number from operations where id = $2))
      and ($3::text is null or o.subject = $3) and ($4::text[] is null or o.status = any ($4))
    order by o.number desc limit $1`,
};

/** Newest first. $1 subjects, $2 before this operation or null, $3 how many of each. */
export const LIST_OPERATIONS_OF_SUBJECTS: Statement = {
  name: 'list_operations_of_subjects',
  text: `${COLUMNS} from unnest($1::text[]) s (key) cross join lateral (select * from operations where subject = s.key
      and ($2::text is null or number < (select number from operations where id = $2)) order by number desc limit $3) o ${BESIDE}
    order by o.subject, o.number desc`,
};

/** $1 ids, $2 numbers. */
export const LIST_OPERATIONS_BY_REF: Statement = {
  name: 'list_operations_by_ref',
  text: `${SUMMARY} where o.id = any ($1::text[]) or o.number = any ($2::bigint[])`,
};

/** $1 ids of parents. */
export const LIST_CHILDREN: Statement = {
  name: 'list_children',
  text: `${SUMMARY} where o.parent_operation_id = any ($1::text[]) order by o.number`,
};

export interface SummaryRow {
  readonly id: string;
  readonly number: number;
  readonly title: unknown;
  readonly status: string;
  readonly reason: unknown;
  readonly subject: string;
  readonly environment: string;
  readonly scenario: string;
  readonly plan_id: string;
  readonly revision: number;
  readonly parent_operation_id: string | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly changed_at: string | null;
  readonly last_seq: number;
}
