import type { Statement } from './statement.js';

/** $1 id or null, $2 number or null. */
export const READ_OPERATION_ID: Statement = {
  name: 'read_operation_id',
  text: 'select id from operations where id = $1 or number = $2',
};

/**
 * An operation and all of it that is newer than a sequence, in one statement and so of one moment: events get their
 * sequence under the lock of the operation's row, so what is committed later than this has a higher one. `since`: when a
 * node got its reason; one that became overdue is as old as the event before, and is looked for as text, since JSON
 * operators refuse a NUL in what a host said. $1 operation, $2 after this sequence, $3 how many events at most, the
 * newest, $4 the revision of the plan that the reader has.
 */
export const READ_LIVE_ROWS: Statement = {
  name: 'read_live_rows',
  text: `select o.last_seq as sequence, now()::timestamptz(3) as at, o.status, o.reason, o.ended_at, p.revision as plan_revision,
      o.number, o.created_at, p.scenario, case when p.revision <> $4::int then p.document end as plan,
      coalesce(
        (select s.at from events s where s.operation_id = o.id and s.type = 'operation_started' order by s.sequence limit 1),
        (select min(a.started_at) from attempts a where a.operation_id = o.id)) as started_at,
      (select l.at from events l where l.operation_id = o.id and l.sequence = o.last_seq) as changed_at,
      (select coalesce(json_agg(json_build_array(n.key, n.sequence, n.status, n.reason, n.attempt, n.attempt_id,
          case when n.reason is null or n.status in ('succeeded', 'cancelled', 'skipped', 'superseded') then null
            when n.reason::text like '%"overdue":"yes"%' then (select e.at from events e
              where e.operation_id = n.operation_id and e.sequence < n.sequence and e.node_key = n.key order by e.sequence desc limit 1)
            else (select e.at from events e where e.operation_id = n.operation_id and e.sequence = n.sequence) end) order by n.ordinal), '[]')
        from nodes n where n.operation_id = o.id and n.sequence > $2) as nodes,
      (select coalesce(json_agg(json_build_array(a.id, a.node_key, a.sequence, a.status, a.started_at, a.ended_at)), '[]')
        from attempts a where a.operation_id = o.id and a.sequence > $2) as attempts,
      (select coalesce(json_agg(json_build_array(s.id, s.status, s.done, s.total, s.sequence) order by s.ordinal), '[]')
        from stages s where s.operation_id = o.id and s.sequence > $2) as stages,
      (select coalesce(json_agg(json_build_array(e.sequence, e.v, e.type, e.actor, e.node_key, e.attempt_id, e.data, e.at) order by e.sequence), '[]')
        from events e where e.operation_id = o.id and e.sequence > greatest($2::bigint, o.last_seq - $3::bigint)) as events
    from operations o join plans p on p.id = o.plan_id where o.id = $1`,
};
