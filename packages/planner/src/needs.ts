import type {
  ArtifactInput,
  ArtifactType,
  CapabilityRef,
  HostView,
  Job,
  JsonValue,
  Outcome,
} from '@capstan/model';
import { ok, refused, text } from '@capstan/model';
import { bareName } from './catalog-index.js';
import type { Frame } from './frame.js';
import { HOST_TYPE } from './frame.js';
import { expectedName } from './nearest.js';
import { resolveSubjects } from './subjects.js';

/** A capability that a node needs of one of these subjects; more than one only for `any(SET)`. */
export interface CapabilityNeed {
  readonly kind: 'capability';
  readonly name: string;
  readonly subjects: readonly string[];
}

/** An artifact that a node or one of its checks reads. */
export interface ArtifactNeed {
  readonly kind: 'artifact';
  readonly name: string;
  readonly subjects: readonly [string];
  readonly type: ArtifactType;
  readonly optional: boolean;
  readonly minRemainingMs: number;
}

export type Need = CapabilityNeed | ArtifactNeed;

/** Identity of what is needed or given: kind, name and the subject that has it. */
export function thing(kind: Need['kind'], name: string, subject: string): string {
  return `${kind}:${name} ${subject}`;
}

/** The needs behind one capability reference: one per subject, or a single one for `any(SET)`. */
export function capabilityNeeds(
  frame: Frame,
  reference: CapabilityRef,
  pack: string,
  host: HostView,
  where: string,
): Outcome<readonly CapabilityNeed[]> {
  const type = frame.catalog.capability(reference.capability, pack);
  if (type === null) return unknownCapability(frame, reference.capability, pack, where);
  const subjects = resolveSubjects(frame, { name: type.id, of: type.of, on: reference.on }, host, where);
  if (!subjects.ok) return subjects;
  const { keys, any } = subjects.value;
  return ok(
    (any ? [keys] : keys.map((key) => [key])).map((each) => ({
      kind: 'capability',
      name: type.id,
      subjects: each,
    })),
  );
}

/** The needs behind one artifact reference: one per owner (S17). */
export function artifactNeeds(
  frame: Frame,
  input: ArtifactInput,
  consumer: Job,
  host: HostView,
  where: string,
): Outcome<readonly ArtifactNeed[]> {
  const type = frame.catalog.artifact(input.name, consumer.pack);
  if (type === null) return unknownArtifact(frame, input.name, consumer.pack, where);
  const denied = deniedArtifact(frame, type, consumer.pack, where);
  if (denied !== null) return denied;
  const owners =
    input.on === undefined && type.of === HOST_TYPE && consumer.place.kind === 'first'
      ? perHostOwners(frame, type)
      : null;
  const subjects =
    owners === null
      ? resolveSubjects(frame, { name: type.name, of: type.of, on: input.on }, host, where)
      : ok({ keys: owners });
  if (!subjects.ok) return subjects;
  return ok(
    subjects.value.keys.map((owner) => ({
      kind: 'artifact',
      name: type.name,
      subjects: [owner],
      type,
      optional: input.optional,
      minRemainingMs: input.minRemainingMs ?? 0,
    })),
  );
}

/** A sensitive artifact of another pack needs `permissions.artifacts`: a pack must not get at a kubeconfig by naming it (S30). */
function deniedArtifact(frame: Frame, type: ArtifactType, pack: string, where: string) {
  if (!type.sensitive || type.pack === pack) return null;
  const permitted = artifactPermissions(frame.catalog.packs.get(pack)?.permissions ?? null);
  if (
    permitted.some(
      (name) => name === `${type.pack}:${type.name}` || frame.catalog.artifact(name, pack) === type,
    )
  )
    return null;
  return refused({
    code: 'not_allowed',
    text: text('plan.artifact_not_permitted', { artifact: `${type.pack}:${type.name}`, pack, where }),
    expected: `permissions.artifacts of pack ${pack} with ${type.pack}:${type.name}`,
  });
}

/** The refusal of a capability that no reachable pack declares. */
export function unknownCapability(frame: Frame, name: string, pack: string, where: string) {
  const known = frame.catalog
    .reach(pack)
    .flatMap((each) => each.capabilities.map((capability) => capability.id));
  return refused({
    code: 'unknown_reference',
    text: text('plan.unknown_capability', { capability: name, where }),
    expected: expectedName(bareName(name), known),
  });
}

/** The refusal of an artifact that no reachable pack declares. */
export function unknownArtifact(frame: Frame, name: string, pack: string, where: string) {
  const known = frame.catalog.reach(pack).flatMap((each) => each.artifacts.map((artifact) => artifact.name));
  return refused({
    code: 'unknown_reference',
    text: text('plan.unknown_artifact', { artifact: name, where }),
    expected: expectedName(bareName(name), known),
  });
}

/** A single consumer of a per-host artifact reads it from every host that the template makes it on. */
function perHostOwners(frame: Frame, type: ArtifactType): readonly string[] | null {
  for (const reference of frame.scenario.stages.flatMap((stage) => stage.jobs)) {
    const job = frame.catalog.job(reference, frame.scenario.pack);
    if (job?.place.kind !== 'each') continue;
    const gives = job.contract.outputs.artifacts.some(
      (output) => output.on === undefined && frame.catalog.artifact(output.name, job.pack) === type,
    );
    if (gives) return frame.sets.get(job.place.set)?.map((host) => host.key) ?? null;
  }
  return null;
}

function artifactPermissions(permissions: JsonValue): readonly string[] {
  if (permissions === null || typeof permissions !== 'object' || Array.isArray(permissions)) return [];
  const names = permissions['artifacts'];
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
}
