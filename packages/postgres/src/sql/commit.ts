import type { OperationChange } from '@capstan/engine';
import { isAttemptEnd, isEnd } from '@capstan/model';
import { toEventColumns } from '../event-row.js';
import { jsonText, storable } from '../storable.js';
import type { Statement } from './statement.js';

/**
 * One transition of one operation as one statement (L9, S12). Its first part is the lock and the check; every other
 * part selects from it, so a late writer changes 0 rows. What is empty is left out, so that the usual transition stays
 * lean; each variant is a prepared statement of its own.
 */
export function commitStatement(
  change: OperationChange,
  commitId: string,
  driver: { readonly owner: string; readonly counter: number } | null,
): { readonly statement: Statement; readonly values: unknown[] } {
  const values: unknown[] = [
    change.operationId,
    change.expectedSequence,
    change.sequence,
    change.status,
    jsonText(change.reason),
    isEnd(change.status),
    change.wakeInMs,
    commitId,
  ];
  if (driver) values.push(driver.owner, driver.counter);
  const parts = [
    driver ? `${HEAD} and driver = $9 and driver_fence = $10 returning id)` : `${HEAD} returning id)`,
  ];
  const answers: string[] = [];
  const used: number[] = [];
  for (const [index, part] of PARTS.entries()) {
    const columns = part.columns(change);
    const rows = columns[0]?.length ?? 0;
    if (rows === 0) continue;
    const first = values.length + 1;
    values.push(...columns);
    parts.push(part.sql(`unnest(${part.types.map((type, i) => `$${first + i}::${type}[]`).join(', ')})`));
    used.push(index);
    if (part.updates) {
      values.push(rows);
      // A row that is not there is a bug of ours; dividing by zero takes the whole statement back.
      answers.push(`1 / (((select count(*) from new_${part.name}) = $${values.length}::bigint)::int)`);
    }
  }
  const text = `with ${parts.join(',\n')}\nselect ${['id', ...answers].join(', ')} from op`;
  return { statement: { name: `${driver ? 'commit' : 'command'}_${used.join('')}`, text }, values };
}

const HEAD = `op as (update operations set last_seq = $3, status = $4, reason = $5, last_commit = $8,
    wake_at = now() + $7::float8 * interval '1 millisecond', ended_at = case when $6::boolean then now() end
  where id = $1 and last_seq = $2`;

interface Part {
  readonly name: string;
  readonly types: readonly string[];
  /** Whether every row must have been there already. */
  readonly updates: boolean;
  columns(change: OperationChange): unknown[][];
  /** `rows` = the unnest of the columns. */
  sql(rows: string): string;
}

const PARTS: readonly Part[] = [
  {
    name: 'nodes',
    types: ['text', 'text', 'json', 'int', 'int', 'text', 'int', 'bigint', 'bigint'],
    updates: true,
    columns: ({ nodes }) => [
      nodes.map((n) => n.key),
      nodes.map((n) => n.status),
      nodes.map((n) => jsonText(n.reason)),
      nodes.map((n) => n.pending),
      nodes.map((n) => n.attempt),
      nodes.map((n) => n.attemptId),
      nodes.map((n) => n.tries),
      nodes.map((n) => n.sequence),
      nodes.map((n) => n.readySequence),
    ],
    sql: (
      rows,
    ) => `new_nodes as (update nodes n set status = u.status, reason = u.reason, pending = u.pending, attempt = u.attempt,
        attempt_id = u.attempt_id, tries = u.tries, sequence = u.sequence, ready_sequence = u.ready_sequence
      from op, ${rows} u (key, status, reason, pending, attempt, attempt_id, tries, sequence, ready_sequence)
      where n.operation_id = op.id and n.operation_id = $1 and n.key = u.key returning 1)`,
  },
  {
    name: 'stages',
    types: ['text', 'text', 'int', 'int', 'bigint'],
    updates: true,
    columns: ({ stages }) => [
      stages.map((s) => s.id),
      stages.map((s) => s.status),
      stages.map((s) => s.done),
      stages.map((s) => s.total),
      stages.map((s) => s.sequence),
    ],
    sql: (
      rows,
    ) => `new_stages as (update stages s set status = u.status, done = u.done, total = u.total, sequence = u.sequence
      from op, ${rows} u (id, status, done, total, sequence)
      where s.operation_id = op.id and s.operation_id = $1 and s.id = u.id returning 1)`,
  },
  {
    name: 'attempts',
    types: [
      'text',
      'text',
      'int',
      'text',
      'text',
      'text',
      'text',
      'text',
      'json',
      'text',
      'json',
      'bigint',
      'bigint',
      'boolean',
    ],
    updates: false,
    columns: ({ attempts }) => [
      attempts.map((a) => a.id),
      attempts.map((a) => a.nodeKey),
      attempts.map((a) => a.number),
      attempts.map((a) => a.host),
      attempts.map((a) => a.runRoot),
      attempts.map((a) => a.fence),
      attempts.map((a) => a.bundleHash),
      attempts.map((a) => a.status),
      attempts.map((a) => jsonText(a.reason)),
      attempts.map((a) => (a.incarnation === null ? null : storable(a.incarnation))),
      attempts.map((a) => jsonText(a.end)),
      attempts.map((a) => a.endedSequence),
      attempts.map((a) => a.sequence),
      attempts.map((a) => isAttemptEnd(a.status)),
    ],
    sql: (
      rows,
    ) => `new_attempts as (insert into attempts (id, operation_id, node_key, number, host, run_root, fence, bundle_hash, status,
        reason, incarnation, run_end, ended_sequence, sequence, ended_at)
      select u.id, op.id, u.node_key, u.number, u.host, u.run_root, u.fence, u.bundle_hash, u.status, u.reason, u.incarnation,
        u.run_end, u.ended_sequence, u.sequence, case when u.ended then now() end
      from op, ${rows} u (id, node_key, number, host, run_root, fence, bundle_hash, status, reason, incarnation, run_end,
        ended_sequence, sequence, ended)
      on conflict (id) do update set status = excluded.status, reason = excluded.reason, incarnation = excluded.incarnation,
        run_end = excluded.run_end, ended_sequence = excluded.ended_sequence, sequence = excluded.sequence,
        ended_at = coalesce(attempts.ended_at, excluded.ended_at))`,
  },
  {
    name: 'events',
    types: ['bigint', 'smallint', 'text', 'text', 'text', 'text', 'json'],
    updates: false,
    columns: ({ events }) => {
      const rows = events.map(toEventColumns);
      return [
        rows.map((e) => e.sequence),
        rows.map((e) => e.v),
        rows.map((e) => e.type),
        rows.map((e) => e.actor),
        rows.map((e) => e.node_key),
        rows.map((e) => e.attempt_id),
        rows.map((e) => jsonText(e.data)),
      ];
    },
    sql: (
      rows,
    ) => `new_events as (insert into events (operation_id, sequence, v, type, actor, node_key, attempt_id, data)
      select op.id, u.* from op, ${rows} u)`,
  },
  {
    name: 'evidence',
    types: [
      'text',
      'text',
      'text',
      'text',
      'text',
      'text',
      'text',
      'text',
      'text',
      'json',
      'text',
      'text',
      'text',
      'timestamptz',
      'float8',
      'bigint',
    ],
    updates: false,
    columns: ({ evidence }) => [
      evidence.map((e) => e.id),
      evidence.map((e) => e.nodeKey),
      evidence.map((e) => e.attemptId),
      evidence.map((e) => e.check),
      evidence.map((e) => e.checkDigest),
      evidence.map((e) => e.subject),
      evidence.map((e) => e.from),
      evidence.map((e) => storable(e.expected)),
      evidence.map((e) => storable(e.observed)),
      evidence.map((e) => jsonText(e.attributes)),
      evidence.map((e) => e.rawHash),
      evidence.map((e) => e.verdict),
      evidence.map((e) => e.provenance),
      evidence.map((e) => e.at),
      // Only the length counts: when it began is a matter of the database's clock.
      evidence.map((e) => (e.freshUntil === null ? null : Date.parse(e.freshUntil) - Date.parse(e.at))),
      evidence.map((e) => e.startedAfter),
    ],
    sql: (
      rows,
    ) => `new_evidence as (insert into evidence (id, operation_id, node_key, attempt_id, check_id, check_digest, subject, from_host,
        expected, observed, attributes, raw_hash, verdict, provenance, at, fresh_until, started_after)
      select u.id, op.id, u.node_key, u.attempt_id, u.check_id, u.check_digest, u.subject, u.from_host, u.expected, u.observed,
        u.attributes, u.raw_hash, u.verdict, u.provenance, u.at, now() + u.fresh_ms * interval '1 millisecond', u.started_after
      from op, ${rows} u (id, node_key, attempt_id, check_id, check_digest, subject, from_host, expected, observed, attributes,
        raw_hash, verdict, provenance, at, fresh_ms, started_after))`,
  },
  {
    name: 'facts',
    types: ['text', 'text', 'text', 'json', 'text', 'text', 'text', 'text', 'float8'],
    updates: false,
    columns: ({ facts }) => {
      const rows = lastOf(facts, (f) => `${f.resource}\n${f.capability}`);
      return [
        rows.map((f) => f.resource),
        rows.map((f) => f.capability),
        rows.map((f) => f.state),
        rows.map((f) => jsonText(f.attributes)),
        rows.map((f) => f.provenance),
        rows.map((f) => f.evidence.join(',')),
        rows.map((f) => f.checkDigest),
        rows.map((f) => f.packVersion),
        rows.map((f) => f.freshForMs),
      ];
    },
    // A fact that no longer holds keeps the time at which it last did: that is what a person asks for.
    sql: (
      rows,
    ) => `new_facts as (insert into facts (resource, capability, state, attributes, provenance, evidence, check_digest, pack_version,
        proved_at, fresh_until, changed_at)
      select u.resource, u.capability, u.state, u.attributes, u.provenance, string_to_array(u.evidence, ','), u.check_digest,
        u.pack_version, now(), now() + u.fresh_ms * interval '1 millisecond', now()
      from op, ${rows} u (resource, capability, state, attributes, provenance, evidence, check_digest, pack_version, fresh_ms)
      on conflict (resource, capability) do update set state = excluded.state, attributes = excluded.attributes,
        provenance = excluded.provenance, evidence = excluded.evidence, check_digest = excluded.check_digest,
        pack_version = excluded.pack_version, fresh_until = excluded.fresh_until, changed_at = excluded.changed_at,
        proved_at = case when excluded.state in ('holds', 'asserted') then excluded.proved_at else facts.proved_at end)`,
  },
  {
    name: 'artifacts',
    types: [
      'text',
      'text',
      'text',
      'boolean',
      'bigint',
      'text',
      'text',
      'text',
      'text',
      'text',
      'text',
      'float8',
    ],
    updates: false,
    columns: ({ artifacts }) => [
      artifacts.map((a) => a.id),
      artifacts.map((a) => a.owner),
      artifacts.map((a) => a.name),
      artifacts.map((a) => a.sensitive),
      artifacts.map((a) => a.size),
      artifacts.map((a) => a.contentHash),
      artifacts.map((a) => a.storage.kind),
      artifacts.map((a) => (a.storage.kind === 'blob' ? a.storage.hash : a.storage.ref)),
      artifacts.map((a) => a.keep),
      artifacts.map((a) => a.nodeKey),
      artifacts.map((a) => a.attemptId),
      artifacts.map((a) => a.ttlMs),
    ],
    // A time to live counts from the start of the attempt, which may be a row of this very statement (S17).
    sql: (
      rows,
    ) => `new_artifacts as (insert into artifacts (id, owner, name, version, sensitive, size, content_hash, storage_kind, storage_ref,
        keep, operation_id, node_key, attempt_id, expires_at)
      select u.id, u.owner, u.name,
        (select coalesce(max(version), 0) from artifacts a where a.owner = u.owner and a.name = u.name)
          + row_number() over (partition by u.owner, u.name order by u.place),
        u.sensitive, u.size, u.content_hash, u.storage_kind, u.storage_ref, u.keep, op.id, u.node_key, u.attempt_id,
        coalesce((select started_at from attempts t where t.id = u.attempt_id), now()) + u.ttl_ms * interval '1 millisecond'
      from op, ${rows} with ordinality u (id, owner, name, sensitive, size, content_hash, storage_kind, storage_ref, keep, node_key,
        attempt_id, ttl_ms, place))`,
  },
  {
    name: 'proofs',
    types: ['text', 'text', 'text', 'text', 'text'],
    updates: false,
    columns: ({ proofs }) => {
      const rows = lastOf(proofs, (p) => `${p.subject}\n${p.job}\n${p.target}`);
      return [
        rows.map((p) => p.subject),
        rows.map((p) => p.job),
        rows.map((p) => p.target),
        rows.map((p) => p.inputHash),
        rows.map((p) => p.attemptId),
      ];
    },
    sql: (rows) => `new_proofs as (insert into proven_inputs (subject, job, target, input_hash, attempt_id)
      select u.* from op, ${rows} u
      on conflict (subject, job, target) do update set input_hash = excluded.input_hash, attempt_id = excluded.attempt_id,
        proved_at = now())`,
  },
];

/** One statement cannot write a row twice; the later write of a batch is the one that counts. */
function lastOf<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return items.length < 2 ? items : [...new Map(items.map((item) => [key(item), item])).values()];
}
