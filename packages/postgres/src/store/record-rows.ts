import type { OperationAttempt, StoredArtifact, StoredAttempt, StoredEvidence } from '@capstan/engine';
import type { ArtifactRecord, Evidence, JsonValue, Provenance, Verdict } from '@capstan/model';
import type { ArtifactColumns } from '../sql/list-records.js';
import type { AttemptRow } from '../sql/load-operation.js';
import { toAttempt } from './operation-rows.js';

export interface AttemptListRow extends AttemptRow {
  readonly operation_id: string;
  readonly log_size: number;
  readonly log_complete: boolean;
  readonly log_edition: number;
  readonly log_cut_from: number | null;
  readonly log_cut_to: number | null;
  readonly log_pruned_at: string | null;
  readonly log_sha256: string | null;
}

export interface EvidenceRow {
  readonly id: string;
  readonly node_key: string | null;
  readonly attempt_id: string | null;
  readonly check_id: string;
  readonly check_digest: string;
  readonly subject: string;
  readonly from_host: string;
  readonly expected: string;
  readonly observed: string;
  readonly attributes: Record<string, JsonValue>;
  readonly raw_hash: string;
  readonly verdict: string;
  readonly provenance: string;
  readonly at: string;
  readonly fresh_until: string | null;
  readonly started_after: number;
}

export interface PlannedEvidenceRow extends EvidenceRow {
  readonly operation_id: string;
  readonly plan_id: string;
}

export function toStoredAttempt(row: AttemptListRow): StoredAttempt {
  return {
    ...toAttempt(row),
    startedAt: row.started_at,
    endedAt: row.ended_at,
    logSize: row.log_size,
    logComplete: row.log_complete,
    logEtag: `${row.id}.${row.log_edition}`,
    logCut:
      row.log_cut_from === null || row.log_cut_to === null
        ? null
        : { from: row.log_cut_from, to: row.log_cut_to },
    logPruned: row.log_pruned_at === null ? null : { at: row.log_pruned_at, sha256: row.log_sha256 ?? '' },
  };
}

export function toOperationAttempt(row: AttemptListRow): OperationAttempt {
  return { ...toStoredAttempt(row), operationId: row.operation_id };
}

export function toEvidence(row: EvidenceRow): Evidence {
  return {
    id: row.id,
    check: row.check_id,
    checkDigest: row.check_digest,
    subject: row.subject,
    from: row.from_host,
    nodeKey: row.node_key,
    attemptId: row.attempt_id,
    expected: row.expected,
    observed: row.observed,
    attributes: row.attributes,
    rawHash: row.raw_hash,
    verdict: row.verdict as Verdict,
    provenance: row.provenance as Provenance,
    at: row.at,
    freshUntil: row.fresh_until,
    startedAfter: row.started_after,
  };
}

export function toStoredEvidence(row: PlannedEvidenceRow): StoredEvidence {
  return { ...toEvidence(row), operationId: row.operation_id, planId: row.plan_id };
}

export function toStoredArtifact(row: ArtifactColumns): StoredArtifact {
  return {
    id: row.id,
    owner: row.owner,
    name: row.name,
    version: row.version,
    sensitive: row.sensitive,
    size: row.size,
    contentHash: row.content_hash,
    operationId: row.operation_id,
    keep: row.keep as ArtifactRecord['keep'],
    nodeKey: row.node_key,
    attemptId: row.attempt_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
