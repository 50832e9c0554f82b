import type { Plan } from '@capstan/model';
import type { ArtifactShelf } from './artifact-shelf.js';
import type { EngineDependencies } from './dependencies.js';
import type { ArtifactWrite } from './ports/operation-store.js';

/** Makes each `generate:` value once, when its owner has none (S10): the server knows the secret before any host does. */
export async function generateMissing(
  deps: EngineDependencies,
  plan: Plan,
  shelf: ArtifactShelf,
): Promise<readonly ArtifactWrite[]> {
  const made: ArtifactWrite[] = [];
  for (const g of plan.generate) {
    if (shelf.find(g.owner, g.artifact)) continue;
    const value = new TextEncoder().encode(deps.secrets.generate(g.generator.kind, g.generator.length));
    const write = await shelf.store(
      plan.environment,
      {
        name: g.artifact,
        owner: g.owner,
        sensitive: g.sensitive,
        kind: 'secret',
        keep: 'resource',
        ttlMs: null,
        redact: [],
      },
      value,
      { nodeKey: null, attemptId: null, ttlMs: null },
    );
    shelf.add(write);
    made.push(write);
  }
  return made;
}
