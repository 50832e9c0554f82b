import type { Statement } from './statement.js';

/** $1 operations, $2 after this sequence, $3 how many of each. */
export const LIST_EVENTS_OF: Statement = {
  name: 'list_events_of',
  text: `select e.operation_id, e.sequence, e.v, e.type, e.actor, e.node_key, e.attempt_id, e.data, e.at
    from unnest($1::text[]) o (id) cross join lateral (select * from events where operation_id = o.id and sequence > $2
      order by sequence limit $3) e order by e.operation_id, e.sequence`,
};

/** $1 operations, $2 sequence. */
export const LIST_EVENT_GAPS: Statement = {
  name: 'list_event_gaps',
  text: `select distinct on (operation_id) operation_id, first_sequence as first, last_sequence as last, at, actor, sha256
    from tombstones where operation_id = any ($1::text[]) and kind = 'events' and last_sequence > $2
    order by operation_id, last_sequence desc`,
};

const EVIDENCE = `select v.*, o.plan_id from evidence v join operations o on o.id = v.operation_id`;

/** In the order in which it was recorded. $1 operations, $2 node keys, pairwise. */
export const LIST_EVIDENCE_OF_NODES: Statement = {
  name: 'list_evidence_of_nodes',
  text: `${EVIDENCE} where v.operation_id = any ($1::text[])
      and (v.operation_id, v.node_key) in (select * from unnest($1::text[], $2::text[]))
    order by v.recorded_at, v.id`,
};

/** $1 operations, $2 after this id or null, $3 how many of each. */
export const LIST_EVIDENCE_PAGES: Statement = {
  name: 'list_evidence_pages',
  text: `select v.*, o.plan_id from operations o cross join lateral (select * from evidence where operation_id = o.id
      and ($2::text is null or id > $2) order by id limit $3) v
    where o.id = any ($1::text[]) order by v.operation_id, v.id`,
};

/** $1 ids. */
export const LIST_EVIDENCE_BY_ID: Statement = {
  name: 'list_evidence_by_id',
  text: `${EVIDENCE} where v.id = any ($1::text[])`,
};

const ARTIFACT =
  'id, owner, name, version, sensitive, size, content_hash, keep, operation_id, node_key, attempt_id, created_at, expires_at';

/** $1 operations, $2 after this id or null, $3 how many of each. */
export const LIST_ARTIFACTS_OF_OPERATIONS: Statement = {
  name: 'list_artifacts_of_operations',
  text: `select a.* from unnest($1::text[]) o (id) cross join lateral (select ${ARTIFACT} from artifacts
      where operation_id = o.id and ($2::text is null or id > $2) order by id limit $3) a`,
};

/** The newest version of each name that outlives its operation. $1 owners, $2 after this id or null, $3 how many of each. */
export const LIST_ARTIFACTS_OF_OWNERS: Statement = {
  name: 'list_artifacts_of_owners',
  text: `select a.* from unnest($1::text[]) o (key) cross join lateral (select * from (
      select distinct on (name) ${ARTIFACT} from artifacts where owner = o.key and keep = 'resource'
      order by name, version desc) newest
    where $2::text is null or id > $2 order by id limit $3) a`,
};

/** $1 ids. */
export const LIST_ARTIFACTS_BY_ID: Statement = {
  name: 'list_artifacts_by_id',
  text: `select ${ARTIFACT} from artifacts where id = any ($1::text[])`,
};

/** $1 artifact ids, $2 at most so many bytes. */
export const LIST_ARTIFACT_BYTES: Statement = {
  name: 'list_artifact_bytes',
  text: `select a.id, b.bytes from artifacts a join blobs b on b.hash = a.storage_ref
    where a.id = any ($1::text[]) and a.storage_kind = 'blob' and not a.sensitive and a.size <= $2`,
};

export interface ArtifactColumns {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly version: number;
  readonly sensitive: boolean;
  readonly size: number;
  readonly content_hash: string;
  readonly keep: string;
  readonly operation_id: string | null;
  readonly node_key: string | null;
  readonly attempt_id: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
}
