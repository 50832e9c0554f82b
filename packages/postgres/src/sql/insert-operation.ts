import type { Statement } from './statement.js';

/** The operation of this subject that is not over. $1 subject. */
export const RUNNING_OPERATION: Statement = {
  name: 'running_operation',
  text: `select id, number from operations where subject = $1 and ended_at is null`,
};

/** $1 new resource id, $2 key, $3 type, $4 environment name. A resource that exists keeps its id. */
export const ENSURE_RESOURCE: Statement = {
  name: 'ensure_resource',
  text: `with made as (insert into resources (id, environment_id, key, type)
      select $1, id, $2, $3 from environments where name = $4
      on conflict (key) do nothing returning id)
    select id from made union all select id from resources where key = $2 limit 1`,
};

/** $1 id, $2 revision, $3 hash, $4 scenario, $5 document, $6 title. */
export const INSERT_PLAN: Statement = {
  name: 'insert_plan',
  text: `insert into plans (id, revision, hash, scenario, document, title) values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing`,
};

/** $1 id, $2 environment name, $3 resource, $4 plan, $5 subject, $6 title, $7 status, $8 reason, $9 sequence, $10 created by. */
export const INSERT_OPERATION: Statement = {
  name: 'insert_operation',
  text: `insert into operations (id, number, environment_id, resource_id, plan_id, subject, title, status, reason, last_seq, created_by)
    select $1, nextval('operation_numbers'), id, $3, $4, $5, $6, $7, $8, $9, $10 from environments where name = $2
    returning number`,
};

/** $1 operation, then arrays: key, revision, ordinal, kind, stage, status, reason, pending, sequence, ready sequence. */
export const INSERT_NODES: Statement = {
  name: 'insert_nodes',
  text: `insert into nodes (operation_id, key, plan_revision, ordinal, kind, stage, status, reason, pending, attempt, tries, sequence, ready_sequence)
    select $1, key, revision, ordinal, kind, stage, status, reason, pending, 0, 0, sequence, ready_sequence
    from unnest($2::text[], $3::int[], $4::int[], $5::text[], $6::text[], $7::text[], $8::json[], $9::int[], $10::bigint[], $11::bigint[])
      u (key, revision, ordinal, kind, stage, status, reason, pending, sequence, ready_sequence)`,
};

/** $1 operation, $2 sources, $3 targets. */
export const INSERT_EDGES: Statement = {
  name: 'insert_edges',
  text: `insert into edges (operation_id, source, target) select $1, u.* from unnest($2::text[], $3::text[]) u`,
};

/** $1 operation, then arrays: id, ordinal, status, done, total, sequence. */
export const INSERT_STAGES: Statement = {
  name: 'insert_stages',
  text: `insert into stages (operation_id, id, ordinal, status, done, total, sequence)
    select $1, u.* from unnest($2::text[], $3::int[], $4::text[], $5::int[], $6::int[], $7::bigint[]) u`,
};

/** $1 operation, then arrays: sequence, v, type, actor, node, attempt, data. */
export const INSERT_EVENTS: Statement = {
  name: 'insert_events',
  text: `insert into events (operation_id, sequence, v, type, actor, node_key, attempt_id, data)
    select $1, u.* from unnest($2::bigint[], $3::smallint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::json[]) u`,
};
