import type {
  ArtifactRecord,
  Environment,
  Expressions,
  Fact,
  HostView,
  Intent,
  JsonValue,
  Scenario,
} from '@capstan/model';
import type { CatalogIndex } from './catalog-index.js';
import type { StageOrder } from './stages.js';
import type { PlanningLimits, World } from './world.js';

/** Resource type of machines; `of: node` capabilities belong to the host on which a job runs (S14). */
export const HOST_TYPE = 'node';

/** The operation's own resource. */
export interface Subject {
  readonly key: string;
  readonly type: string;
  readonly name: string;
}

/** A scenario requirement that found its resource. */
export interface BoundResource {
  readonly as: string;
  readonly capability: string;
  readonly key: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, JsonValue>>;
}

/** The world arranged for look-ups; built so that the order of its lists cannot matter. */
export interface Known {
  readonly now: string;
  readonly hosts: ReadonlyMap<string, HostView>;
  readonly facts: ReadonlyMap<string, Fact>;
  /** Newest version of each `owner name`. */
  readonly artifacts: ReadonlyMap<string, ArtifactRecord>;
}

/** Everything that is decided before the template is expanded; constant from then on. */
export interface Frame {
  readonly intent: Intent;
  readonly catalog: CatalogIndex;
  readonly known: Known;
  readonly expressions: Expressions;
  readonly limits: PlanningLimits;
  readonly scenario: Scenario;
  readonly subject: Subject;
  readonly environment: Environment;
  readonly params: Readonly<Record<string, JsonValue>>;
  readonly sets: ReadonlyMap<string, readonly HostView[]>;
  readonly bindings: ReadonlyMap<string, BoundResource>;
  readonly stages: StageOrder;
}

/** Arranges the world. Of two rows for one identity the newest counts. */
export function arrange(world: World): Known {
  const facts = [...world.facts].sort((a, b) => order(a.provedAt, b.provedAt) || order(a.state, b.state));
  const artifacts = [...world.artifacts].sort((a, b) => a.version - b.version || order(a.id, b.id));
  return {
    now: world.now,
    hosts: new Map([...world.hosts].sort((a, b) => order(a.key, b.key)).map((host) => [host.key, host])),
    facts: new Map(facts.map((fact) => [pair(fact.resource, fact.capability), fact])),
    artifacts: new Map(artifacts.map((record) => [pair(record.owner, record.name), record])),
  };
}

/** One string for (owner, name); resource keys hold no space. */
export function pair(owner: string, name: string): string {
  return `${owner} ${name}`;
}

/** Code-unit order: the same everywhere, where a locale's order is not. */
export function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
