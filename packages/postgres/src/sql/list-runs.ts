import type { Statement } from './statement.js';

/** In plan order. $1 operations. */
export const LIST_STAGES_OF: Statement = {
  name: 'list_stages_of',
  text: `select operation_id, id, status, done, total, sequence from stages where operation_id = any ($1::text[])
    order by operation_id, ordinal`,
};

/**
 * Nodes with their newest attempt, in plan order. `since`: when the node got its reason; a reason that became overdue is
 * as old as the event before; it is looked for as text, since JSON operators refuse a NUL in what a host said. $1 operations.
 */
export const LIST_NODES_OF: Statement = {
  name: 'list_nodes_of',
  text: `select n.operation_id, n.key, n.status, n.reason, n.sequence, n.attempt, n.attempt_id,
      a.status as attempt_status, a.started_at, a.ended_at,
      case when n.reason is null or n.status in ('succeeded', 'cancelled', 'skipped', 'superseded') then null
        when n.reason::text like '%"overdue":"yes"%' then (select e.at from events e
          where e.operation_id = n.operation_id and e.sequence < n.sequence and e.node_key = n.key order by e.sequence desc limit 1)
        else (select e.at from events e where e.operation_id = n.operation_id and e.sequence = n.sequence) end as since
    from nodes n left join attempts a on a.id = n.attempt_id
    where n.operation_id = any ($1::text[]) order by n.operation_id, n.ordinal`,
};

/** $1 plan ids. */
export const LIST_PLANS: Statement = {
  name: 'list_plans',
  text: 'select id, document, created_at from plans where id = any ($1::text[])',
};

/**
 * How long the newest successes of each scenario took, as a whole (\`step\` null) and by step. It looks back over a bounded
 * number of operations. Steps that found everything satisfied took no time and say nothing. $1 scenarios, $2 look back, $3 runs.
 */
export const LIST_HISTORY: Statement = {
  name: 'list_history',
  text: `with recent as materialized (
      select o.id, o.number, p.scenario, extract(epoch from o.ended_at - o.created_at) * 1000 as ms
      from (select * from operations order by number desc limit $2) o join plans p on p.id = o.plan_id
      where o.status = 'succeeded' and p.scenario = any ($1::text[])),
    runs as (select * from (select recent.*, row_number() over (partition by scenario order by number desc) as rank from recent) r
      where rank <= $3),
    steps as (select r.scenario, regexp_replace(a.node_key, '(~[0-9]+)?(\\[.*\\])?$', '') as step, r.id,
        extract(epoch from a.ended_at - a.started_at) * 1000 as ms
      from runs r join attempts a on a.operation_id = r.id
      where a.status = 'succeeded' and a.run_end ->> 'kind' <> 'not_run')
    select scenario, null as step, count(*)::int as runs, percentile_cont(0.5) within group (order by ms) as p50,
      percentile_cont(0.9) within group (order by ms) as p90 from runs group by scenario
    union all
    select scenario, step, count(distinct id)::int, percentile_cont(0.5) within group (order by ms),
      percentile_cont(0.9) within group (order by ms) from steps group by scenario, step`,
};
