import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, findBreakingChanges } from 'graphql';

const present = 'schema/schema.graphql';
const released = 'schema/released.graphql';
const accepted = 'schema/breaking.json';

/**
 * Changes of the API that break clients of the last release, whose schema lies in git because a clean clone may know no
 * other branch. Each must stand in `breaking.json` with its reason, and nothing may stand there that is no change any more.
 */
export async function run(root) {
  const missing = [present, released, accepted].filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0) return missing.map((path) => ({ path, text: 'missing' }));
  const text = (file) => readFileSync(join(root, file), 'utf8');
  const changes = findBreakingChanges(buildSchema(text(released)), buildSchema(text(present)));
  const listed = JSON.parse(text(accepted));
  const found = new Set(changes.map(({ description }) => description));
  return [
    ...changes
      .filter(({ description }) => !listed.some(({ change }) => change === description))
      .map(({ type, description }) => ({
        path: present,
        text: `${type}: ${description} Keep it deprecated, or list it with its reason in ${accepted}.`,
      })),
    ...listed
      .filter(({ reason }) => typeof reason !== 'string' || reason.trim().length < 10)
      .map(({ change }) => ({ path: accepted, text: `${change} has no reason` })),
    ...listed
      .filter(({ change }) => !found.has(change))
      .map(({ change }) => ({ path: accepted, text: `${change} is no change any more: remove it` })),
  ];
}
