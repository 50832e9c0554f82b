import type { Plan } from '@capstan/model';
import type { Frame } from './frame.js';
import { order, pair } from './frame.js';
import type { Linked } from './link.js';
import { generatorOf } from './providers.js';
import { artifactStanding } from './resolve.js';

/**
 * What the server makes at start (S10): every artifact that some node reads as `generated`, and those of the target that
 * nobody reads but a person will. The planner never makes a value.
 */
export function needsOfGenerate(frame: Frame, linked: readonly Linked[]): Plan['generate'] {
  const entries = new Map<string, Plan['generate'][number]>();
  for (const each of frame.scenario.generate) {
    const type = frame.catalog.artifact(each.artifact, frame.scenario.pack);
    if (type === null) continue;
    const generator = generatorOf(frame, type) ?? each.generator;
    const readers = linked.flatMap((node) => [
      ...node.inputs,
      ...node.checks.flatMap((check) => check.inputs),
    ]);
    const owners = readers
      .filter((input) => input.provider === 'generated' && input.name === type.name)
      .map((input) => input.owner);
    if (type.of === frame.subject.type) owners.push(frame.subject.key);
    for (const owner of owners) {
      const standing = artifactStanding(frame, {
        owner,
        name: type.name,
        minRemainingMs: 0,
        neededAt: frame.known.now,
      });
      const read = readers.some(
        (input) => input.provider === 'generated' && input.name === type.name && input.owner === owner,
      );
      if (standing.holds && !read) continue;
      entries.set(pair(owner, type.name), {
        artifact: type.name,
        owner,
        generator,
        sensitive: type.sensitive,
      });
    }
  }
  return [...entries].sort(([a], [b]) => order(a, b)).map(([, entry]) => entry);
}
