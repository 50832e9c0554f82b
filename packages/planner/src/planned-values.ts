import type {
  ArtifactType,
  HostView,
  Job,
  JsonValue,
  On,
  Outcome,
  ParameterSource,
  PlannedValue,
  Problem,
} from '@capstan/model';
import { ok, refused, text } from '@capstan/model';
import type { Frame } from './frame.js';
import { applySchema, nulFaults } from './json-schema.js';
import type { ArtifactNeed } from './needs.js';
import { artifactNeeds, unknownArtifact } from './needs.js';
import { faultProblem } from './parameters.js';
import { notSupported } from './supported.js';
import { evaluate } from './values.js';

/** What a node or a check gets as parameters, and the artifacts that must exist for it. */
export interface PlannedParameters {
  readonly params: Readonly<Record<string, PlannedValue>>;
  readonly artifacts: readonly ArtifactNeed[];
}

interface Wanted {
  readonly sources: Readonly<Record<string, ParameterSource>>;
  /** Absent: values are only looked at for U+0000. */
  readonly schema?: JsonValue;
  readonly job: Job;
  /** `host` in the expressions. */
  readonly host: HostView;
  /** Names the node or check in problems. */
  readonly where: string;
}

/** Evaluates `with:` (S16): expressions become values, references to secrets and artifacts stay references. */
export function planParameters(frame: Frame, wanted: Wanted): Outcome<PlannedParameters> {
  const values: [string, JsonValue][] = [];
  const references: [string, PlannedValue][] = [];
  const artifacts: ArtifactNeed[] = [];
  const problems: Problem[] = [];
  for (const [name, source] of Object.entries(wanted.sources).sort(([a], [b]) => (a < b ? -1 : 1))) {
    switch (source.kind) {
      case 'cel': {
        const result = evaluate(frame, source.source, wanted.host);
        if (result.ok) values.push([name, result.value]);
        else problems.push(expressionProblem(wanted.where, name, source.source, result.error));
        break;
      }
      case 'secret':
        references.push([name, { kind: 'secret', ref: source.ref }]);
        break;
      case 'artifact': {
        const found = artifactReference(frame, source.ref, wanted);
        if (!found.ok) problems.push(...found.problems);
        else {
          artifacts.push(found.value);
          references.push([
            name,
            { kind: 'artifact', owner: found.value.subjects[0], name: found.value.name },
          ]);
        }
      }
    }
  }
  if (problems.length > 0) return refused(...problems);
  const checked = conform(
    frame,
    wanted,
    Object.fromEntries(values),
    new Set(references.map(([name]) => name)),
  );
  if (!checked.ok) return checked;
  const planned = Object.entries(checked.value).map(([name, value]): [string, PlannedValue] => [
    name,
    { kind: 'value', value },
  ]);
  return ok({
    params: Object.fromEntries([...planned, ...references].sort(([a], [b]) => (a < b ? -1 : 1))),
    artifacts,
  });
}

function conform(
  frame: Frame,
  wanted: Wanted,
  values: Record<string, JsonValue>,
  given: ReadonlySet<string>,
): Outcome<Record<string, JsonValue>> {
  const hosts = [...frame.known.hosts.values()].map((host) => host.name);
  const { value, faults } =
    wanted.schema === undefined
      ? { value: values, faults: nulFaults(values, '') }
      : applySchema(wanted.schema, values, '', { strict: true, given, hosts });
  if (faults.length > 0) return refused(...faults.map((fault) => faultProblem(fault, wanted.where)));
  return ok(value as Record<string, JsonValue>);
}

/** `NAME`, `pack:NAME`, `target.NAME`, `host.NAME` or `bindings.BINDING.NAME`; exactly one owner. */
function artifactReference(frame: Frame, reference: string, wanted: Wanted): Outcome<ArtifactNeed> {
  const { name, on } =
    frame.catalog.artifact(reference, wanted.job.pack) === null
      ? splitOwner(reference)
      : { name: reference, on: undefined };
  if (on?.kind === 'binding' && on.claim)
    return refused(notSupported(`artifact of ${reference}`, wanted.where));
  const type: ArtifactType | null = frame.catalog.artifact(name, wanted.job.pack);
  if (type === null) return unknownArtifact(frame, name, wanted.job.pack, wanted.where);
  const needs = artifactNeeds(
    frame,
    { name, optional: false, ...(on === undefined ? {} : { on }) },
    wanted.job,
    wanted.host,
    wanted.where,
  );
  if (!needs.ok) return needs;
  const [only, another] = needs.value;
  if (only !== undefined && another === undefined) return ok(only);
  return refused({
    code: 'ambiguous_subject',
    text: text('plan.ambiguous_subject', {
      name,
      where: wanted.where,
      subjects: needs.value.map((need) => need.subjects[0]).join(', '),
    }),
    expected: 'an artifact of one owner',
  });
}

function splitOwner(reference: string): { readonly name: string; readonly on: On | undefined } {
  const binding = /^bindings\.([^.]+)\.(claim\.)?(.+)$/.exec(reference);
  if (binding !== null)
    return {
      name: binding[3] as string,
      on: { kind: 'binding', name: binding[1] as string, claim: binding[2] !== undefined },
    };
  const owner = /^(target|host)\.(.+)$/.exec(reference);
  if (owner !== null) return { name: owner[2] as string, on: { kind: owner[1] as 'target' | 'host' } };
  return { name: reference, on: undefined };
}

function expressionProblem(where: string, name: string, source: string, error: string): Problem {
  return {
    code: 'invalid_parameter',
    text: text('plan.expression_failed', { where, parameter: name, source, error }),
    expected: 'an expression over intent, params, target, host, sets, bindings and env',
  };
}
