import type { Check, HostView, Job, Outcome, PlannedValue, Problem } from '@capstan/model';
import { ok, qualified, refused, text } from '@capstan/model';
import type { Frame } from './frame.js';
import { pair } from './frame.js';
import { expectedName } from './nearest.js';
import type { ArtifactNeed } from './needs.js';
import { artifactNeeds } from './needs.js';
import { planParameters } from './planned-values.js';
import { resolveSubjects } from './subjects.js';
import { notSupported, unsupportedInCheck } from './supported.js';

/** A check bound to its subject, host and values; its inputs still look for their providers. */
export interface BoundCheck {
  readonly check: Check;
  readonly subject: string;
  readonly from: string;
  readonly params: Readonly<Record<string, PlannedValue>>;
  readonly inputs: readonly ArtifactNeed[];
  /** The outputs that it proves, see `thing`; empty for evidence that proves no output by name. */
  readonly proves: readonly string[];
}

/** One output of a node and the ids of the checks that prove it. */
export interface ProofOrder {
  readonly thing: string;
  readonly subject: string;
  readonly checks: readonly string[];
}

/** Binds every check that proves an output of the job, and the job's remaining evidence. One check of one subject from one host is asked once. */
export function bindChecks(
  frame: Frame,
  job: Job,
  host: HostView,
  outputs: readonly ProofOrder[],
  where: string,
): Outcome<readonly BoundCheck[]> {
  const proving = new Set(outputs.flatMap((output) => output.checks));
  const rest = job.contract.outputs.evidence.filter((id) => !proving.has(id));
  const orders = [
    ...outputs.flatMap((output) =>
      output.checks.map((id) => ({ id, subject: output.subject, proves: [output.thing] })),
    ),
    ...rest.map((id) => ({ id, subject: host.key, proves: [] as string[] })),
  ];
  const bound = new Map<string, BoundCheck>();
  const problems: Problem[] = [];
  for (const each of orders) {
    const check = frame.catalog.check(each.id, job.pack);
    if (check === null) {
      const known = frame.catalog.packs.get(job.pack)?.checks.map((other) => other.id) ?? [];
      problems.push({
        code: 'unknown_reference',
        text: text('plan.unknown_check', { check: each.id, where }),
        expected: expectedName(each.id, known),
      });
      continue;
    }
    const result = bindOne(frame, job, check, host, each.subject, where);
    if (!result.ok) problems.push(...result.problems);
    else for (const one of result.value) merge(bound, { ...one, proves: each.proves });
  }
  return problems.length > 0 ? refused(...problems) : ok([...bound.values()]);
}

function merge(bound: Map<string, BoundCheck>, check: BoundCheck): void {
  const identity = `${qualified(check.check)} ${pair(check.subject, check.from)}`;
  const known = bound.get(identity);
  bound.set(identity, known === undefined ? check : { ...known, proves: [...known.proves, ...check.proves] });
}

/** `on` is whose fact it is, `from` where it runs: without `from` on the subject if that is a host, else on the job's own host (S2). */
function bindOne(
  frame: Frame,
  job: Job,
  check: Check,
  host: HostView,
  proven: string,
  where: string,
): Outcome<readonly Omit<BoundCheck, 'proves'>[]> {
  const unsupported = unsupportedInCheck(check);
  if (unsupported.length > 0) return refused(...unsupported);
  const at = `${where}: check ${qualified(check)}`;
  const subjects =
    check.on === undefined
      ? ok({ keys: [proven], any: false })
      : resolveSubjects(frame, { name: check.id, of: '', on: check.on }, host, at);
  if (!subjects.ok) return subjects;
  if (subjects.value.any) return refused(notSupported('on: any(…)', at));
  const bound: Omit<BoundCheck, 'proves'>[] = [];
  const problems: Problem[] = [];
  for (const subject of subjects.value.keys) {
    const result = bindTo(frame, job, check, host, subject, at);
    if (result.ok) bound.push(result.value);
    else problems.push(...result.problems);
  }
  return problems.length > 0 ? refused(...problems) : ok(bound);
}

function bindTo(
  frame: Frame,
  job: Job,
  check: Check,
  host: HostView,
  subject: string,
  where: string,
): Outcome<Omit<BoundCheck, 'proves'>> {
  const from =
    check.from === undefined
      ? ok({ keys: [frame.known.hosts.has(subject) ? subject : host.key] })
      : resolveSubjects(frame, { name: check.id, of: '', on: check.from }, host, where);
  if (!from.ok) return from;
  const [place, another] = from.value.keys;
  if (place === undefined || another !== undefined || !frame.known.hosts.has(place)) {
    return refused(notSupported(`from: ${from.value.keys.join(', ')}`, where));
  }
  // In a check's expressions `host` is the host that the fact is about, which need not be the one it is asked from.
  const about = frame.known.hosts.get(subject) ?? host;
  const parameters = planParameters(frame, {
    sources: check.params,
    job: { ...job, pack: check.pack },
    host: about,
    where,
  });
  if (!parameters.ok) return parameters;
  const inputs: ArtifactNeed[] = [...parameters.value.artifacts];
  for (const input of check.inputs) {
    const needs = artifactNeeds(frame, input, { ...job, pack: check.pack }, about, where);
    if (!needs.ok) return needs;
    inputs.push(...needs.value);
  }
  return ok({ check, subject, from: place, params: parameters.value.params, inputs });
}
