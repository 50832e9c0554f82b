import type { JsonValue } from './text.js';

/** `real`, or proved through a stand-in of a lab: then it resolves only in environments of kind lab (S31). */
export type Provenance = 'real' | 'stand_in';

/** A managed thing with a type and a key. */
export interface Resource {
  readonly id: string;
  /** `<key prefix>/<name>`, unique in the installation. */
  readonly key: string;
  readonly type: string;
  readonly environment: string;
  readonly attributes: Readonly<Record<string, JsonValue>>;
}

/** A named scope of resources, policies, secrets and rights. */
export interface Environment {
  readonly name: string;
  readonly kind: 'standard' | 'lab';
}

/** A machine as the planner sees it: the resource `node/<name>` plus what its connection record says. */
export interface HostView {
  readonly name: string;
  readonly key: string;
  readonly environment: string;
  readonly address: string;
  /** `SHA256:…` of the pinned key; null = never accepted. Part of the plan's hash: an approval binds it (L8). */
  readonly hostKeyFingerprint: string | null;
  readonly provenance: Provenance;
  /** False on a sandbox host without namespaces: only jobs with `sandbox: any` may run there. */
  readonly isolated: boolean;
  readonly tier: 'own' | 'sandbox' | 'debian';
}

export const FACT_STATES = ['holds', 'stale', 'failed', 'withdrawn', 'asserted'] as const;
/** Only `holds` resolves. Cannot reach = stale; the check said no = failed (S19). */
export type FactState = (typeof FACT_STATES)[number];

/** Resource R has capability C with attributes A, proved by evidence E at time T, good until U. One per (resource, capability). */
export interface Fact {
  readonly resource: string;
  readonly capability: string;
  readonly state: FactState;
  readonly attributes: Readonly<Record<string, JsonValue>>;
  readonly provenance: Provenance;
  /** Ids of the evidence that proves it. */
  readonly evidence: readonly string[];
  readonly checkDigest: string;
  readonly packVersion: string;
  readonly provedAt: string;
  /** Null: good until something disturbs it. */
  readonly freshUntil: string | null;
}

/** Whether a fact resolves a requirement at `now` in an environment of this kind. */
export function resolves(fact: Fact, now: string, environmentKind: Environment['kind']): boolean {
  if (fact.state !== 'holds') return false;
  if (fact.freshUntil !== null && fact.freshUntil <= now) return false;
  return fact.provenance === 'real' || environmentKind === 'lab';
}

/** The resource key of a host, from `lab-1` or `node/lab-1`. */
export function hostKey(name: string): string {
  return name.startsWith('node/') ? name : `node/${name}`;
}

/** The bare name of a host, from `lab-1` or `node/lab-1`. */
export function hostName(key: string): string {
  return key.startsWith('node/') ? key.slice('node/'.length) : key;
}
