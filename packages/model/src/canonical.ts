import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Plan } from './plan.js';

/** RFC 8785 style: keys in code-unit order, no white space, `undefined` members left out. Throws on what JSON cannot say. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('canonical JSON has no NaN and no infinity');
    return JSON.stringify(value);
  }
  if (Array.isArray(value))
    return `[${value.map((v) => canonicalJson(v === undefined ? null : v)).join(',')}]`;
  if (typeof value === 'object') {
    const entries = Object.entries(value as Record<string, unknown>)
      .filter(([, v]) => v !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonicalJson(v)}`).join(',')}}`;
  }
  throw new TypeError(`canonical JSON cannot hold a ${typeof value}`);
}

/** SHA-256 of the canonical form, hex, with a domain so that hashes of different things never collide by content. */
export function canonicalHash(domain: string, value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(`${domain}\n${canonicalJson(value)}`)));
}

/** SHA-256 of bytes, hex. */
export function bytesHash(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/**
 * The plan's hash, form v1 (S27). Covers node keys, job and check digests, params, targets, bindings, gates, edges and
 * pack digests; not estimates, reasons, titles, fact ages, risk text: an approval must not lapse because a day went by.
 */
export function planHash(plan: Omit<Plan, 'hash'>): string {
  return canonicalHash('capstan/plan/v1', {
    scenario: [plan.scenario.id, plan.scenario.version, plan.scenario.digest],
    subject: plan.subject.key,
    environment: plan.environment,
    params: plan.params,
    sets: plan.sets,
    hostKeys: plan.hostKeys,
    packs: plan.packs.map((p) => [p.name, p.version, p.digest]),
    nodes: plan.nodes.map((n) => ({
      key: n.key,
      kind: n.kind,
      stage: n.stage,
      job: n.job === null ? null : [n.job, plan.jobs[n.job]?.digest],
      target: n.target,
      dependsOn: [...n.dependsOn].sort(),
      params: n.params,
      needs: n.needs,
      inputs: n.inputs,
      outputs: n.outputs,
      proofs: n.proofs,
      checks: n.checks.map((c) => [c, plan.checks[c.check]?.digest]),
      disturbs: n.disturbs,
    })),
    bindings: plan.bindings.map((b) => [b.requirement, b.kind, b.provider]),
    gates: plan.gates.map((g) => [g.key, g.kind]),
    generate: plan.generate.map((g) => [g.artifact, g.owner, g.generator]),
    provides: plan.provides,
  });
}
