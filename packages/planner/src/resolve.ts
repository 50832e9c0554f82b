import type { ArtifactRecord, CapabilityType, Fact, Text } from '@capstan/model';
import { resolves, text } from '@capstan/model';
import type { Frame } from './frame.js';
import { pair } from './frame.js';

/** Whether the world holds something already, with the reason in words either way. */
export type Standing<T> =
  | { readonly holds: true; readonly record: T; readonly reason: Text }
  | { readonly holds: false; readonly record: T | null; readonly reason: Text };

type FactFrame = Pick<Frame, 'known' | 'environment'>;

/** The fact (capability, subject). Only one that holds resolves; unknown is not absent, so every other state says why (S3, S19). */
export function factStanding(frame: FactFrame, capability: string, subject: string): Standing<Fact> {
  const fact = frame.known.facts.get(pair(subject, capability));
  if (fact === undefined)
    return { holds: false, record: null, reason: text('plan.fact_missing', { capability, subject }) };
  if (resolves(fact, frame.known.now, frame.environment.kind)) {
    const reason = text(fact.freshUntil === null ? 'plan.fact_holds' : 'plan.fact_holds_until', {
      capability,
      subject,
      provedAt: fact.provedAt,
      freshUntil: fact.freshUntil ?? '',
    });
    return { holds: true, record: fact, reason };
  }
  return { holds: false, record: fact, reason: whyNot(fact, frame) };
}

function whyNot(fact: Fact, frame: FactFrame): Text {
  const args = { capability: fact.capability, subject: fact.resource };
  if (fact.state !== 'holds') return text(`plan.fact_${fact.state}`, { ...args, provedAt: fact.provedAt });
  if (fact.freshUntil !== null && fact.freshUntil <= frame.known.now)
    return text('plan.fact_expired', { ...args, at: fact.freshUntil });
  return text('plan.fact_stand_in', { ...args, environment: frame.environment.name });
}

/** What decides whether a stored artifact is good enough for one use. */
export interface ArtifactUse {
  readonly owner: string;
  readonly name: string;
  readonly minRemainingMs: number;
  /** Estimated time of the use, RFC 3339. */
  readonly neededAt: string;
}

/** The newest stored version of an artifact, if it will still be good at its estimated time of use. */
export function artifactStanding(frame: Pick<Frame, 'known'>, use: ArtifactUse): Standing<ArtifactRecord> {
  const record = frame.known.artifacts.get(pair(use.owner, use.name));
  const args = { artifact: use.name, owner: use.owner };
  if (record === undefined)
    return { holds: false, record: null, reason: text('plan.artifact_missing', args) };
  const version = { ...args, version: record.version };
  if (record.keep !== 'resource')
    return { holds: false, record, reason: text('plan.artifact_of_operation', version) };
  if (record.expiresAt === null)
    return { holds: true, record, reason: text('plan.artifact_stored', version) };
  const until = { ...version, expiresAt: record.expiresAt, neededAt: use.neededAt };
  const left = Date.parse(record.expiresAt) - Date.parse(use.neededAt);
  if (record.expiresAt <= frame.known.now)
    return { holds: false, record, reason: text('plan.artifact_expired', until) };
  if (left <= 0) return { holds: false, record, reason: text('plan.artifact_expires_before_use', until) };
  if (left < use.minRemainingMs) {
    return {
      holds: false,
      record,
      reason: text('plan.artifact_too_short', { ...until, needed: Math.round(use.minRemainingMs / 1000) }),
    };
  }
  return { holds: true, record, reason: text('plan.artifact_stored_until', until) };
}

/** Name of a stored artifact as a provider or a candidate. */
export function storedName(record: ArtifactRecord): string {
  return `artifact v${record.version}`;
}

/** A capability that another one implies is not looked for: saying so beats a bare "nothing gives it". */
export function impliedCandidate(
  type: CapabilityType,
): { readonly provider: string; readonly taken: false; readonly reason: Text } | null {
  if (type.impliedBy === undefined) return null;
  return {
    provider: type.impliedBy,
    taken: false,
    reason: text('plan.not_supported', { field: 'implied_by', where: `capability ${type.id}` }),
  };
}
