import type { ControlPlane, Maintenance } from '@capstan/engine';
import type { Actor, Outcome } from '@capstan/model';
import { createLoaders, type Loaders } from './loaders.js';

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
  /** Names what is served: it changes when the served files do. */
  readonly buildId: string;
  readonly lab: 'sandbox' | 'none';
  readonly packFolders: readonly string[];
}

/** One request: who asks, when, and what was loaded for it already. */
export interface GraphContext extends ServerParts {
  readonly actor: Actor;
  readonly loaders: Loaders;
  /** One time for the whole answer, RFC 3339. */
  readonly now: string;
}

export function createContext(parts: ServerParts, actor: Actor): GraphContext {
  return { ...parts, actor, loaders: createLoaders(parts.control, actor), now: new Date().toISOString() };
}
