import { downstreamOf, text } from '@capstan/model';
import type { Linked, Linking } from './link.js';
import { thing } from './needs.js';

/** A capability that jobs of one stage disturb and on which the plan relies. */
export interface Disturbed {
  readonly stage: string;
  readonly capability: string;
  readonly subject: string;
  /** The nodes that disturb it. */
  readonly by: Linked[];
}

/**
 * Gives the new proof to the readers behind it: those behind a barrier, and those that run after the disturbance anyway,
 * unless the stage in turn waits for them.
 */
export function handOver(
  linking: Linking,
  linked: readonly Linked[],
  proofs: readonly Linked[],
  disturbed: Disturbed,
  reprove: Linked,
): readonly Linked[] {
  const { stages } = linking.frame;
  const readers = linked.filter(
    (node) => node.stage !== disturbed.stage && readsBefore(linking, node, disturbed, reprove) !== null,
  );
  const loose = readers.filter((node) => !stages.isAfter(node.stage, disturbed.stage));
  const graph =
    loose.length === 0
      ? []
      : [...linked, ...proofs].map(({ key, edges }) => ({ key, dependsOn: [...edges] }));
  const members = new Set(linked.filter((node) => node.stage === disturbed.stage).map((node) => node.key));
  const follows = (node: Linked): boolean =>
    disturbed.by.some((each) => downstreamOf(graph, each.key).has(node.key)) &&
    [...downstreamOf(graph, node.key)].every((key) => !members.has(key));
  const taking = new Set(readers.filter((node) => !loose.includes(node) || follows(node)));
  return linked.map((node) => (taking.has(node) ? takeFrom(node, disturbed, reprove) : node));
}

/** The provider of a reader's need, if it is one that the disturbance spoils: the world, or a node that is not behind it. */
function readsBefore(linking: Linking, node: Linked, disturbed: Disturbed, reprove: Linked): string | null {
  const need = node.needs.find(
    (each) => each.capability === disturbed.capability && each.subject === disturbed.subject,
  );
  if (need === undefined || need.provider === reprove.key) return null;
  const wanted = thing('capability', disturbed.capability, disturbed.subject);
  const giver = linking.plan.giversOf(wanted).find((draft) => draft.key === need.provider);
  const later = giver !== undefined && linking.frame.stages.isAfter(giver.stage, disturbed.stage);
  return later ? null : need.provider;
}

function takeFrom(node: Linked, disturbed: Disturbed, reprove: Linked): Linked {
  const { capability, subject } = disturbed;
  const reason = text('plan.given_by', { provider: reprove.key });
  const mine = [`${node.key}/${capability}`, `${node.key}/${capability}@${subject}`];
  return {
    ...node,
    edges: new Set([...node.edges, reprove.key]),
    needs: node.needs.map((need) =>
      need.capability === capability && need.subject === subject ? { ...need, provider: reprove.key } : need,
    ),
    bindings: node.bindings.map((binding) =>
      mine.includes(binding.requirement)
        ? {
            requirement: binding.requirement,
            kind: 'job',
            provider: reprove.key,
            origin: 'planner',
            reason,
            candidates: [
              { provider: reprove.key, taken: true, reason },
              ...binding.candidates.map((each) =>
                each.taken
                  ? { ...each, taken: false, reason: text('plan.proved_again', { provider: reprove.key }) }
                  : each,
              ),
            ],
          }
        : binding,
    ),
  };
}
