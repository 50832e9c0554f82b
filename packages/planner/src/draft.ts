import type {
  HostView,
  Job,
  JsonValue,
  Outcome,
  PlannedOutput,
  PlannedProof,
  PlannedValue,
  Problem,
  Text,
} from '@capstan/model';
import { ok, qualified, refused, text } from '@capstan/model';
import { bareName } from './catalog-index.js';
import type { BoundCheck, ProofOrder } from './checks.js';
import { bindChecks } from './checks.js';
import type { Frame } from './frame.js';
import { order } from './frame.js';
import type { Need } from './needs.js';
import { artifactNeeds, capabilityNeeds, thing, unknownArtifact, unknownCapability } from './needs.js';
import { planParameters } from './planned-values.js';
import { resolveSubjects } from './subjects.js';
import { unsupportedInJob } from './supported.js';

/** A node of the plan before its providers are chosen: everything that depends on its job and host alone. */
export interface Draft {
  readonly key: string;
  readonly stage: string;
  readonly position: Position;
  readonly job: Job;
  readonly host: HostView;
  readonly origin: 'template' | 'planner';
  readonly reason: Text | null;
  readonly params: Readonly<Record<string, PlannedValue>>;
  /** Of its run; a check's needs are in {@link checks}. */
  readonly needs: readonly Need[];
  readonly proofs: readonly PlannedProof[];
  readonly outputs: readonly PlannedOutput[];
  readonly checks: readonly BoundCheck[];
  readonly disturbs: readonly { readonly capability: string; readonly subject: string }[];
}

/** Where a node stands in the listing: the only thing that breaks ties, so the same plan always has the same order. */
export interface Position {
  readonly stage: number;
  readonly listing: number;
  /** 0 for the template's own; an inserted provider stands that many steps before its consumer. */
  readonly before: number;
}

/** By stage, then listing (inserted providers first), then host, then key. */
export function byPosition(a: Draft, b: Draft): number {
  return (
    a.position.stage - b.position.stage ||
    a.position.listing - b.position.listing ||
    b.position.before - a.position.before ||
    order(a.host.key, b.host.key) ||
    order(a.key, b.key)
  );
}

/** What a node gives: its proven capabilities and its artifacts. */
export function given(draft: Draft): readonly string[] {
  return [
    ...draft.proofs.map((proof) => thing('capability', proof.capability, proof.subject)),
    ...draft.outputs.map((output) => thing('artifact', output.name, output.owner)),
  ];
}

type Start = Pick<Draft, 'key' | 'stage' | 'position' | 'job' | 'host' | 'origin'>;

/** Binds a job to a host, or says everything that speaks against it. */
export function draftNode(frame: Frame, start: Start): Outcome<Draft> {
  const { job, host, key } = start;
  const barred = [...unsupportedInJob(job), ...isolationProblems(job, host)];
  if (barred.length > 0) return refused(...barred);
  const where = `${key} (job ${qualified(job)})`;
  const schema = job.params === undefined ? {} : { schema: job.params };
  const parameters = planParameters(frame, { sources: job.with, ...schema, job, host, where });
  const needs = needsOf(frame, job, host, where);
  const given = outputsOf(frame, job, host, where);
  const disturbs = disturbedBy(frame, job, host, where);
  if (!parameters.ok || !needs.ok || !given.ok || !disturbs.ok) {
    return refused(...[parameters, needs, given, disturbs].flatMap((part) => (part.ok ? [] : part.problems)));
  }
  const checks = bindChecks(frame, job, host, given.value.orders, where);
  if (!checks.ok) return checks;
  return ok({
    ...start,
    reason: null,
    params: parameters.value.params,
    needs: [...needs.value, ...parameters.value.artifacts],
    proofs: given.value.proofs,
    outputs: given.value.outputs,
    checks: checks.value,
    disturbs: disturbs.value,
  });
}

/** Whether a job may run on this machine at all: the sandbox tier without namespaces shares the person's own system. */
function isolationProblems(job: Job, host: HostView): readonly Problem[] {
  if (host.tier !== 'sandbox' || job.sandbox === 'any' || (job.sandbox === 'isolated' && host.isolated))
    return [];
  const code = job.sandbox === 'never' ? 'plan.never_in_sandbox' : 'plan.not_isolated';
  return [
    {
      code: 'not_isolated',
      text: text(code, { job: qualified(job), host: host.key }),
      expected:
        job.sandbox === 'never'
          ? 'a host outside the sandbox'
          : 'a job with sandbox: any, or an isolated host',
    },
  ];
}

function needsOf(frame: Frame, job: Job, host: HostView, where: string): Outcome<readonly Need[]> {
  const { capabilities, artifacts } = job.contract.inputs;
  return collect<Need>([
    ...capabilities.map((reference) => capabilityNeeds(frame, reference, job.pack, host, where)),
    ...artifacts.map((input) => artifactNeeds(frame, input, job, host, where)),
  ]);
}

interface Outputs {
  readonly proofs: readonly PlannedProof[];
  readonly outputs: readonly PlannedOutput[];
  readonly orders: readonly ProofOrder[];
}

function outputsOf(frame: Frame, job: Job, host: HostView, where: string): Outcome<Outputs> {
  const problems: Problem[] = [];
  const proofs: PlannedProof[] = [];
  const outputs: PlannedOutput[] = [];
  const orders: ProofOrder[] = [];
  const checksFor = (reference: string): readonly string[] =>
    job.proves[reference] ?? job.proves[bareName(reference)] ?? [];
  const ids = (checks: readonly string[]): readonly string[] =>
    checks.flatMap((id) => frame.catalog.check(id, job.pack) ?? []).map(qualified);

  for (const output of job.contract.outputs.capabilities) {
    const type = frame.catalog.capability(output.capability, job.pack);
    const found =
      type === null
        ? unknownCapability(frame, output.capability, job.pack, where)
        : resolveSubjects(frame, { name: type.id, of: type.of, on: output.on }, host, where);
    if (type === null || !found.ok || found.value.any) {
      problems.push(...(found.ok ? [anyOutput(output.capability, where)] : found.problems));
      continue;
    }
    const checks = checksFor(output.capability);
    // L1: without a check nothing could ever confirm it, and the node would end unproven for good.
    if (checks.length === 0)
      problems.push({
        code: 'unmet_requirement',
        text: text('plan.no_proof', { name: type.id, where }),
        expected: 'a check under proves or evidence',
      });
    for (const subject of found.value.keys) {
      proofs.push({
        capability: type.id,
        subject,
        checks: ids(checks),
        attributes: attributesOf(output.attributes),
      });
      orders.push({ thing: thing('capability', type.id, subject), subject, checks });
    }
  }
  for (const output of job.contract.outputs.artifacts) {
    const type = frame.catalog.artifact(output.name, job.pack);
    const found =
      type === null
        ? unknownArtifact(frame, output.name, job.pack, where)
        : resolveSubjects(frame, { name: type.name, of: type.of, on: output.on }, host, where);
    if (type === null || !found.ok || found.value.any) {
      problems.push(...(found.ok ? [anyOutput(output.name, where)] : found.problems));
      continue;
    }
    for (const owner of found.value.keys) {
      const { name, sensitive, kind, keep, redact } = type;
      outputs.push({ name, owner, sensitive, kind, keep, ttlMs: type.ttlMs ?? null, redact });
      orders.push({ thing: thing('artifact', name, owner), subject: owner, checks: checksFor(output.name) });
    }
  }
  return problems.length > 0 ? refused(...problems) : ok({ proofs, outputs, orders });
}

function disturbedBy(frame: Frame, job: Job, host: HostView, where: string): Outcome<Draft['disturbs']> {
  const found = collect(
    job.disturbs.map((reference) => capabilityNeeds(frame, reference, job.pack, host, where)),
  );
  if (!found.ok) return found;
  return ok(
    found.value.flatMap((each) => each.subjects.map((subject) => ({ capability: each.name, subject }))),
  );
}

function collect<T>(parts: readonly Outcome<readonly T[]>[]): Outcome<readonly T[]> {
  const problems = parts.flatMap((part) => (part.ok ? [] : part.problems));
  return problems.length > 0
    ? refused(...problems)
    : ok(parts.flatMap((part) => (part.ok ? part.value : [])));
}

function anyOutput(name: string, where: string): Problem {
  return {
    code: 'ambiguous_subject',
    text: text('plan.any_output', { name, where }),
    expected: 'on: host, target, first(SET) or all(SET)',
  };
}

function attributesOf(promised: JsonValue | undefined): Readonly<Record<string, JsonValue>> {
  return promised !== undefined &&
    promised !== null &&
    typeof promised === 'object' &&
    !Array.isArray(promised)
    ? promised
    : {};
}
