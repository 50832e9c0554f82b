import type { ControlPlane, Maintenance, StoredAttempt, StoredOperation } from '@capstan/engine';
import type { Actor, Evidence, Outcome, Problem } from '@capstan/model';
import DataLoader from 'dataloader';
import { GraphQLError } from 'graphql';
import { EnvironmentType } from './environment.js';
import { ResourceObject } from './resource.js';

/** What the resolvers may reach: everything that decides or reads is behind `control`. */
export interface ServerParts {
  readonly control: ControlPlane;
  readonly maintenance: Maintenance;
  /** Reads every pack folder again; problems leave the active packs as they are. */
  readonly reloadPacks: (actor: Actor) => Promise<Outcome<readonly string[]>>;
  readonly info: ServerInfo;
}

export interface ServerInfo {
  readonly version: string;
  readonly lab: 'sandbox' | 'none';
  readonly packFolders: readonly string[];
}

/** One request: who asks, and what was loaded for it already. */
export interface GraphContext extends ServerParts {
  readonly actor: Actor;
  readonly loaders: Loaders;
}

interface NodeKey {
  readonly operationId: string;
  readonly nodeKey: string;
}

export interface Loaders {
  readonly operation: DataLoader<string, StoredOperation | readonly Problem[]>;
  readonly attempts: DataLoader<NodeKey, readonly StoredAttempt[], string>;
  readonly evidence: DataLoader<NodeKey, readonly Evidence[], string>;
  /** All resources are read once, however many are asked for; null = none that this viewer may see. */
  readonly resource: DataLoader<string, ResourceObject | null>;
  readonly environment: DataLoader<string, EnvironmentType>;
}

export function createContext(parts: ServerParts, actor: Actor): GraphContext {
  const { control } = parts;
  return {
    ...parts,
    actor,
    loaders: {
      operation: new DataLoader((refs) =>
        Promise.all(
          refs.map(async (ref) => {
            const outcome = await control.operation(actor, ref);
            return outcome.ok ? outcome.value : outcome.problems;
          }),
        ),
      ),
      attempts: byNode(async (id, keys) => valueOrError(await control.attempts(actor, id, keys))),
      evidence: byNode(async (id, keys) => valueOrError(await control.evidence(actor, id, keys))),
      resource: new DataLoader(async (keys) => {
        const all = valueOrError(await control.resources(actor));
        const found = new Map(all.map((one) => [one.resource.key, one]));
        return keys.map((key) => {
          const one = found.get(key);
          return one ? new ResourceObject(one) : null;
        });
      }),
      environment: new DataLoader(async (names) => {
        const found = new Map(valueOrError(await control.environments(actor)).map((one) => [one.name, one]));
        return names.map((name) => new EnvironmentType(found.get(name) ?? { name, kind: 'standard' }));
      }),
    },
  };
}

/** One query per operation, however many of its nodes are asked for. */
function byNode<T extends { readonly nodeKey: string | null }>(
  load: (operationId: string, nodeKeys: readonly string[]) => Promise<readonly T[]>,
): DataLoader<NodeKey, readonly T[], string> {
  return new DataLoader(
    async (wanted: readonly NodeKey[]) => {
      const operations = [...new Set(wanted.map((one) => one.operationId))];
      const rows = await Promise.all(
        operations.map(async (id) => {
          const keys = wanted.filter((one) => one.operationId === id).map((one) => one.nodeKey);
          return [id, await load(id, keys)] as const;
        }),
      );
      const found = new Map<string, T[]>();
      for (const [id, list] of rows) {
        for (const row of list) {
          const key = `${id}|${row.nodeKey}`;
          const former = found.get(key);
          if (former) former.push(row);
          else found.set(key, [row]);
        }
      }
      return wanted.map((one) => found.get(`${one.operationId}|${one.nodeKey}`) ?? []);
    },
    { cacheKeyFn: ({ operationId, nodeKey }) => `${operationId}|${nodeKey}` },
  );
}

/** For lists: an empty list would claim that there is nothing. */
export function valueOrError<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new GraphQLError(outcome.problems[0]?.code ?? 'refused', { extensions: { code: 'BAD_REQUEST' } });
}
