import type { Outcome, Plan, Problem } from '@capstan/model';
import { ok, refused, text } from '@capstan/model';
import { byPosition } from './draft.js';
import type { Frame } from './frame.js';
import type { Linked } from './link.js';
import { capabilityNeeds, thing } from './needs.js';

/**
 * What the operation must prove as a whole before it succeeds (S4): each declared `provides` with the checks of the last
 * node that gives it. A promise that no node of the plan gives is refused now, not after the run.
 */
export function promisedProofs(frame: Frame, linked: readonly Linked[]): Outcome<Plan['provides']> {
  const problems: Problem[] = [];
  const provides: Plan['provides'][number][] = [];
  const nodes = [...linked].sort((a, b) => byPosition(a.draft, b.draft));
  for (const reference of frame.scenario.provides) {
    const subjects = promisedSubjects(frame, reference, nodes, `scenario ${frame.scenario.id}`);
    if (!subjects.ok) {
      problems.push(...subjects.problems);
      continue;
    }
    for (const { name, subject } of subjects.value) {
      const each = thing('capability', name, subject);
      const node = nodes
        .filter((one) =>
          one.draft.proofs.some((proof) => proof.capability === name && proof.subject === subject),
        )
        .at(-1);
      const proof = node?.draft.proofs.find((one) => one.capability === name && one.subject === subject);
      if (node === undefined || proof === undefined) {
        problems.push(notGiven(name, subject, `scenario ${frame.scenario.id}`));
        continue;
      }
      const bound = node.checks.filter((_, index) => node.draft.checks[index]?.proves.includes(each));
      provides.push({
        ...proof,
        attributes: { ...proof.attributes, ...objectOf(reference.attributes) },
        bound,
      });
    }
  }
  problems.push(...unkeptStagePromises(frame, nodes));
  return problems.length > 0 ? refused(...problems) : ok(provides);
}

/** A stage's own `provides` must be given by a job in it (S21). */
function unkeptStagePromises(frame: Frame, nodes: readonly Linked[]): readonly Problem[] {
  return frame.stages.listed.flatMap((stage) =>
    stage.provides.flatMap((reference): readonly Problem[] => {
      const where = `stage ${stage.id} of scenario ${frame.scenario.id}`;
      const subjects = promisedSubjects(frame, reference, nodes, where);
      if (!subjects.ok) return subjects.problems;
      const members = nodes.filter((node) => node.stage === stage.id);
      return subjects.value
        .filter(
          ({ name, subject }) =>
            !members.some((node) =>
              node.draft.proofs.some((proof) => proof.capability === name && proof.subject === subject),
            ),
        )
        .map(({ name, subject }) => notGiven(name, subject, where));
    }),
  );
}

interface Promised {
  readonly name: string;
  readonly subject: string;
}

/** A promise of a host capability without `on` is one for every host on which the plan gives it. */
function promisedSubjects(
  frame: Frame,
  reference: Frame['scenario']['provides'][number],
  nodes: readonly Linked[],
  where: string,
): Outcome<readonly Promised[]> {
  const type = frame.catalog.capability(reference.capability, frame.scenario.pack);
  const hosts = nodes
    .filter((node) => node.draft.proofs.some((proof) => proof.capability === type?.id))
    .map((node) => node.draft.host);
  const [any] = hosts.length > 0 ? hosts : nodes.map((node) => node.draft.host);
  if (any === undefined) return refused(notGiven(reference.capability, frame.subject.key, where));
  const needs = capabilityNeeds(frame, reference, frame.scenario.pack, any, where);
  if (!needs.ok) return needs;
  const resolved = needs.value.flatMap((need) =>
    need.subjects.map((subject) => ({ name: need.name, subject })),
  );
  const perHost = reference.on === undefined && resolved.some(({ subject }) => subject === any.key);
  if (!perHost) return ok(resolved);
  return ok(
    [...new Set(hosts.length > 0 ? hosts : [any])].map((host) => ({
      name: resolved[0]?.name ?? reference.capability,
      subject: host.key,
    })),
  );
}

function notGiven(name: string, subject: string, where: string): Problem {
  return {
    code: 'unmet_requirement',
    text: text('plan.promise_not_given', { capability: name, subject, where }),
    expected: `a job in it that gives and proves ${name}`,
  };
}

function objectOf(value: Frame['scenario']['provides'][number]['attributes']) {
  return value !== undefined && value !== null && typeof value === 'object' && !Array.isArray(value)
    ? value
    : {};
}
