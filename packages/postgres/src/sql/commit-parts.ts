import type { ArtifactWrite, FactWrite, OperationChange, ProofWrite, StageWrite } from '@capstan/engine';
import type { AttemptState, Evidence, NodeState } from '@capstan/model';
import { isAttemptEnd } from '@capstan/model';
import type { EventColumns } from '../event-row.js';
import { toEventColumns } from '../event-row.js';
import { jsonText, storable } from '../storable.js';
import type { Cell } from './array-text.js';
import { arrayText } from './array-text.js';

/** One list of a change as a part of the commit's statement. */
export interface CommitPart {
  readonly name: string;
  /** Name and type, in the order of {@link CommitPart.rows}. */
  readonly columns: readonly (readonly [name: string, type: string])[];
  /** Whether every row must have been there already. */
  readonly updates: boolean;
  /** How many rows, and the text of one array per column. */
  rows(change: OperationChange): { readonly count: number; readonly columns: readonly string[] };
  /** `source` gives the columns and `place`, counted from 1, under the name `u`. */
  sql(source: string): string;
}

type Column<T> = readonly [name: string, type: string, value: (item: T) => Cell];

const nodes = part<NodeState>({
  name: 'nodes',
  updates: true,
  items: (change) => change.nodes,
  columns: [
    ['key', 'text', (n) => n.key],
    ['status', 'text', (n) => n.status],
    ['reason', 'json', (n) => jsonText(n.reason)],
    ['pending', 'int', (n) => n.pending],
    ['attempt', 'int', (n) => n.attempt],
    ['attempt_id', 'text', (n) => n.attemptId],
    ['tries', 'int', (n) => n.tries],
    ['sequence', 'bigint', (n) => n.sequence],
    ['ready_sequence', 'bigint', (n) => n.readySequence],
  ],
  sql: (
    source,
  ) => `new_nodes as (update nodes n set status = u.status, reason = u.reason, pending = u.pending, attempt = u.attempt,
      attempt_id = u.attempt_id, tries = u.tries, sequence = u.sequence, ready_sequence = u.ready_sequence
    from op, ${source} where n.operation_id = op.id and n.key = u.key returning 1)`,
});

const stages = part<StageWrite>({
  name: 'stages',
  updates: true,
  items: (change) => change.stages,
  columns: [
    ['id', 'text', (s) => s.id],
    ['status', 'text', (s) => s.status],
    ['done', 'int', (s) => s.done],
    ['total', 'int', (s) => s.total],
    ['sequence', 'bigint', (s) => s.sequence],
  ],
  sql: (
    source,
  ) => `new_stages as (update stages s set status = u.status, done = u.done, total = u.total, sequence = u.sequence
    from op, ${source} where s.operation_id = op.id and s.id = u.id returning 1)`,
});

const attempts = part<AttemptState>({
  name: 'attempts',
  updates: false,
  items: (change) => change.attempts,
  columns: [
    ['id', 'text', (a) => a.id],
    ['node_key', 'text', (a) => a.nodeKey],
    ['number', 'int', (a) => a.number],
    ['host', 'text', (a) => a.host],
    ['run_root', 'text', (a) => a.runRoot],
    ['fence', 'text', (a) => a.fence],
    ['bundle_hash', 'text', (a) => a.bundleHash],
    ['status', 'text', (a) => a.status],
    ['reason', 'json', (a) => jsonText(a.reason)],
    ['incarnation', 'text', (a) => (a.incarnation === null ? null : storable(a.incarnation))],
    ['run_end', 'json', (a) => jsonText(a.end)],
    ['ended_sequence', 'bigint', (a) => a.endedSequence],
    ['sequence', 'bigint', (a) => a.sequence],
    ['ended', 'boolean', (a) => isAttemptEnd(a.status)],
  ],
  sql: (
    source,
  ) => `new_attempts as (insert into attempts (id, operation_id, node_key, number, host, run_root, fence, bundle_hash,
      status, reason, incarnation, run_end, ended_sequence, sequence, ended_at)
    select u.id, op.id, u.node_key, u.number, u.host, u.run_root, u.fence, u.bundle_hash, u.status, u.reason, u.incarnation,
      u.run_end, u.ended_sequence, u.sequence, case when u.ended then now() end
    from op, ${source}
    on conflict (id) do update set status = excluded.status, reason = excluded.reason, incarnation = excluded.incarnation,
      run_end = excluded.run_end, ended_sequence = excluded.ended_sequence, sequence = excluded.sequence,
      ended_at = coalesce(attempts.ended_at, excluded.ended_at))`,
});

const events = part<EventColumns>({
  name: 'events',
  updates: false,
  items: (change) => change.events.map(toEventColumns),
  columns: [
    ['sequence', 'bigint', (e) => e.sequence],
    ['v', 'smallint', (e) => e.v],
    ['type', 'text', (e) => e.type],
    ['actor', 'text', (e) => e.actor],
    ['node_key', 'text', (e) => e.node_key],
    ['attempt_id', 'text', (e) => e.attempt_id],
    ['data', 'json', (e) => jsonText(e.data)],
  ],
  sql: (
    source,
  ) => `new_events as (insert into events (operation_id, sequence, v, type, actor, node_key, attempt_id, data)
    select op.id, u.sequence, u.v, u.type, u.actor, u.node_key, u.attempt_id, u.data from op, ${source})`,
});

const evidence = part<Evidence>({
  name: 'evidence',
  updates: false,
  items: (change) => change.evidence,
  columns: [
    ['id', 'text', (e) => e.id],
    ['node_key', 'text', (e) => e.nodeKey],
    ['attempt_id', 'text', (e) => e.attemptId],
    ['check_id', 'text', (e) => e.check],
    ['check_digest', 'text', (e) => e.checkDigest],
    ['subject', 'text', (e) => e.subject],
    ['from_host', 'text', (e) => e.from],
    ['expected', 'text', (e) => storable(e.expected)],
    ['observed', 'text', (e) => storable(e.observed)],
    ['attributes', 'json', (e) => jsonText(e.attributes)],
    ['raw_hash', 'text', (e) => e.rawHash],
    ['verdict', 'text', (e) => e.verdict],
    ['provenance', 'text', (e) => e.provenance],
    ['at', 'timestamptz', (e) => e.at],
    // Only the length counts: when it began is a matter of the database's clock.
    [
      'fresh_ms',
      'float8',
      (e) => (e.freshUntil === null ? null : Date.parse(e.freshUntil) - Date.parse(e.at)),
    ],
    ['started_after', 'bigint', (e) => e.startedAfter],
  ],
  sql: (
    source,
  ) => `new_evidence as (insert into evidence (id, operation_id, node_key, attempt_id, check_id, check_digest, subject,
      from_host, expected, observed, attributes, raw_hash, verdict, provenance, at, fresh_until, started_after)
    select u.id, op.id, u.node_key, u.attempt_id, u.check_id, u.check_digest, u.subject, u.from_host, u.expected, u.observed,
      u.attributes, u.raw_hash, u.verdict, u.provenance, u.at, now() + u.fresh_ms * interval '1 millisecond', u.started_after
    from op, ${source})`,
});

const facts = part<FactWrite>({
  name: 'facts',
  updates: false,
  items: factsOf,
  columns: [
    ['resource', 'text', (f) => f.resource],
    ['capability', 'text', (f) => f.capability],
    ['state', 'text', (f) => f.state],
    ['attributes', 'json', (f) => jsonText(f.attributes)],
    ['provenance', 'text', (f) => f.provenance],
    ['evidence', 'text', (f) => f.evidence.join(',')],
    ['check_digest', 'text', (f) => f.checkDigest],
    ['pack_version', 'text', (f) => f.packVersion],
    ['fresh_ms', 'float8', (f) => f.freshForMs],
  ],
  // A fact that no longer holds keeps the time at which it last did: that is what a person asks for.
  sql: (
    source,
  ) => `new_facts as (insert into facts (resource, capability, state, attributes, provenance, evidence, check_digest,
      pack_version, proved_at, fresh_until, changed_at)
    select u.resource, u.capability, u.state, u.attributes, u.provenance, string_to_array(u.evidence, ','), u.check_digest,
      u.pack_version, now(), now() + u.fresh_ms * interval '1 millisecond', now()
    from op, ${source}
    on conflict (resource, capability) do update set state = excluded.state, attributes = excluded.attributes,
      provenance = excluded.provenance, evidence = excluded.evidence, check_digest = excluded.check_digest,
      pack_version = excluded.pack_version, fresh_until = excluded.fresh_until, changed_at = excluded.changed_at,
      proved_at = case when excluded.state in ('holds', 'asserted') then excluded.proved_at else facts.proved_at end)`,
});

const staleFacts = part<OperationChange['staleFacts'][number]>({
  name: 'stale_facts',
  updates: false,
  // A row is written once by a statement: where the change also states the fact, that says it all.
  items: (change) => {
    const stated = new Set(change.facts.map(factKey));
    return lastOf(change.staleFacts, factKey).filter((fact) => !stated.has(factKey(fact)));
  },
  columns: [
    ['resource', 'text', (f) => f.resource],
    ['capability', 'text', (f) => f.capability],
  ],
  sql: (source) => `new_stale_facts as (update facts f set state = 'stale', changed_at = now()
    from op, ${source} where f.resource = u.resource and f.capability = u.capability and f.state = 'holds')`,
});

const artifacts = part<ArtifactWrite>({
  name: 'artifacts',
  updates: false,
  items: (change) => change.artifacts,
  columns: [
    ['id', 'text', (a) => a.id],
    ['owner', 'text', (a) => a.owner],
    ['name', 'text', (a) => a.name],
    ['sensitive', 'boolean', (a) => a.sensitive],
    ['size', 'bigint', (a) => a.size],
    ['content_hash', 'text', (a) => a.contentHash],
    ['storage_kind', 'text', (a) => a.storage.kind],
    ['storage_ref', 'text', (a) => (a.storage.kind === 'blob' ? a.storage.hash : a.storage.ref)],
    ['keep', 'text', (a) => a.keep],
    ['node_key', 'text', (a) => a.nodeKey],
    ['attempt_id', 'text', (a) => a.attemptId],
    ['ttl_ms', 'float8', (a) => a.ttlMs],
  ],
  // A time to live counts from the start of the attempt, which may be a row of this very statement (S17).
  sql: (
    source,
  ) => `new_artifacts as (insert into artifacts (id, owner, name, version, sensitive, size, content_hash, storage_kind,
      storage_ref, keep, operation_id, node_key, attempt_id, expires_at)
    select u.id, u.owner, u.name,
      (select coalesce(max(version), 0) from artifacts a where a.owner = u.owner and a.name = u.name)
        + row_number() over (partition by u.owner, u.name order by u.place),
      u.sensitive, u.size, u.content_hash, u.storage_kind, u.storage_ref, u.keep, op.id, u.node_key, u.attempt_id,
      coalesce((select started_at from attempts t where t.id = u.attempt_id), now()) + u.ttl_ms * interval '1 millisecond'
    from op, ${source})`,
});

const proofs = part<ProofWrite>({
  name: 'proofs',
  updates: false,
  items: (change) => lastOf(change.proofs, (p) => `${p.subject}\n${p.job}\n${p.target}`),
  columns: [
    ['subject', 'text', (p) => p.subject],
    ['job', 'text', (p) => p.job],
    ['target', 'text', (p) => p.target],
    ['input_hash', 'text', (p) => p.inputHash],
    ['attempt_id', 'text', (p) => p.attemptId],
  ],
  sql: (source) => `new_proofs as (insert into proven_inputs (subject, job, target, input_hash, attempt_id)
    select u.subject, u.job, u.target, u.input_hash, u.attempt_id from op, ${source}
    on conflict (subject, job, target) do update set input_hash = excluded.input_hash, attempt_id = excluded.attempt_id,
      proved_at = now())`,
});

/** In the order in which the statement has them; a part's number stands in the statement's name. */
export const COMMIT_PARTS: readonly CommitPart[] = [
  nodes,
  stages,
  attempts,
  events,
  evidence,
  facts,
  artifacts,
  proofs,
  staleFacts,
];

function part<T>(described: {
  readonly name: string;
  readonly updates: boolean;
  items(change: OperationChange): readonly T[];
  readonly columns: readonly Column<T>[];
  sql(source: string): string;
}): CommitPart {
  const { name, updates, columns, sql, items } = described;
  return {
    name,
    updates,
    sql,
    columns: columns.map(([column, type]) => [column, type]),
    rows(change) {
      const list = items(change);
      return {
        count: list.length,
        columns: list.length === 0 ? [] : columns.map(([, , value]) => arrayText(list.map(value))),
      };
    },
  };
}

/** The last word on each fact of a change; one that it disturbs as well holds no longer. */
function factsOf({ facts, staleFacts }: OperationChange): readonly FactWrite[] {
  const disturbed = new Set(staleFacts.map(factKey));
  return lastOf(facts, factKey).map((fact) =>
    fact.state === 'holds' && disturbed.has(factKey(fact)) ? { ...fact, state: 'stale' } : fact,
  );
}

function factKey(fact: { readonly resource: string; readonly capability: string }): string {
  return `${fact.resource}\n${fact.capability}`;
}

/** One statement cannot write a row twice; the later write of a batch is the one that counts. */
function lastOf<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return items.length < 2 ? items : [...new Map(items.map((item) => [key(item), item])).values()];
}
