import type { Evidence, JsonValue, Plan, PlannedProof, Provenance } from '@capstan/model';
import { canonicalHash } from '@capstan/model';
import type { FactWrite } from './ports/operation-store.js';

/** The facts that confirmed evidence makes; observed attributes win over promised ones. */
export function factsOf(
  plan: Plan,
  proofs: readonly PlannedProof[],
  evidence: readonly Evidence[],
): FactWrite[] {
  return proofs.map((proof) => fact(plan, proof, evidence, 'holds'));
}

/** Where a check said no, the fact is `failed`; where it could not be asked, nothing is known and nothing is written (S19). */
export function provedAbsent(
  plan: Plan,
  proofs: readonly PlannedProof[],
  evidence: readonly Evidence[],
): FactWrite[] {
  return proofs
    .filter((p) => evidence.some((e) => p.checks.includes(e.check) && e.verdict === 'refuted'))
    .map((proof) => fact(plan, proof, evidence, 'failed'));
}

function fact(
  plan: Plan,
  proof: PlannedProof,
  evidence: readonly Evidence[],
  state: FactWrite['state'],
): FactWrite {
  const mine = evidence.filter((e) => proof.checks.includes(e.check) && e.subject === proof.subject);
  const specs = proof.checks.map((id) => plan.checks[id]).filter((c) => c !== undefined);
  const attributes: Record<string, JsonValue> = { ...proof.attributes };
  for (const e of mine) Object.assign(attributes, e.attributes);
  const fresh = specs.map((c) => c.freshForMs).filter((ms) => ms !== null);
  const provenance: Provenance = mine.some((e) => e.provenance === 'stand_in') ? 'stand_in' : 'real';
  return {
    resource: proof.subject,
    capability: proof.capability,
    state,
    attributes,
    provenance,
    evidence: mine.map((e) => e.id),
    checkDigest: canonicalHash(
      'capstan/checks/v1',
      specs.map((c) => c.digest),
    ),
    packVersion: specs
      .map((c) => `${c.pack}@${plan.packs.find((p) => p.name === c.pack)?.version ?? '?'}`)
      .join(','),
    freshForMs: fresh.length > 0 ? Math.min(...fresh) : null,
  };
}
