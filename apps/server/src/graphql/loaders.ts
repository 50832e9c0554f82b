import type {
  ControlPlane,
  EventGap,
  NodeOfOperation,
  OperationAttempt,
  OperationSummary,
  RunView,
  StoredArtifact,
  StoredEvent,
  StoredEvidence,
  StoredPlan,
} from '@capstan/engine';
import type { Actor, Fact, Outcome, Text } from '@capstan/model';
import DataLoader from 'dataloader';
import { GraphQLError } from 'graphql';
import { EnvironmentType } from './environment.js';
import { ResourceObject } from './resource.js';

/** A page of what belongs to a parent; `after` is an id or a sequence. */
interface PageKey<A> {
  readonly parent: string;
  readonly after: A;
  readonly limit: number;
}

/** Bytes of an artifact that are shown inline, at most. */
const INLINE_BYTES = 64 * 1024;

/** What was loaded for one request already; each loader is one call, however many are asked for. */
export interface Loaders {
  /** By id or number; null = none that this viewer may see. */
  readonly operation: DataLoader<string, OperationSummary | null>;
  /** Newest first; `after` is the id of a newer one. */
  readonly operationsOf: DataLoader<PageKey<string | null>, readonly OperationSummary[], string>;
  readonly children: DataLoader<string, readonly OperationSummary[]>;
  /** Nodes and plan only of operations that are not over. */
  readonly openRun: DataLoader<OperationSummary, RunView, string>;
  readonly wholeRun: DataLoader<OperationSummary, RunView, string>;
  readonly plan: DataLoader<string, StoredPlan | null>;
  readonly attempts: DataLoader<NodeOfOperation, readonly OperationAttempt[], string>;
  readonly evidence: DataLoader<NodeOfOperation, readonly StoredEvidence[], string>;
  readonly events: DataLoader<PageKey<number>, readonly StoredEvent[], string>;
  readonly eventGap: DataLoader<PageKey<number>, EventGap | null, string>;
  readonly evidencePage: DataLoader<PageKey<string | null>, readonly StoredEvidence[], string>;
  readonly artifactsOfOperation: DataLoader<PageKey<string | null>, readonly StoredArtifact[], string>;
  readonly artifactsOfOwner: DataLoader<PageKey<string | null>, readonly StoredArtifact[], string>;
  /** Null: sensitive, too large to be shown inline, or gone. */
  readonly artifactBytes: DataLoader<string, Uint8Array | null>;
  readonly resource: DataLoader<string, ResourceObject | null>;
  readonly facts: DataLoader<string, readonly Fact[]>;
  readonly environment: DataLoader<string, EnvironmentType>;
  /** What keeps the viewer from doing this; null: nothing. */
  readonly forbidden: DataLoader<'run', Text | null>;
}

export function createLoaders(control: ControlPlane, actor: Actor): Loaders {
  const runs = (nodes: 'open' | 'all') =>
    new DataLoader<OperationSummary, RunView, string>(
      async (operations) => {
        const found = valueOrError(await control.runs(actor, operations, nodes));
        return operations.map(({ id }) => found.get(id) ?? gone());
      },
      { cacheKeyFn: ({ id }) => id },
    );
  return {
    operation: new DataLoader(async (refs) => {
      const found = valueOrError(await control.operationsByRef(actor, refs));
      return refs.map((ref) => found.find((one) => one.id === ref || one.number === ref) ?? null);
    }),
    operationsOf: byPage(
      async (keys, { after, limit }) =>
        valueOrError(await control.operationsOf(actor, keys, { before: after, limit })),
      () => [],
    ),
    children: new DataLoader(async (ids) => {
      const found = valueOrError(await control.childrenOf(actor, ids));
      return ids.map((id) => found.filter((one) => one.parentId === id));
    }),
    openRun: runs('open'),
    wholeRun: runs('all'),
    plan: new DataLoader(async (ids) => {
      const found = valueOrError(await control.plans(actor, ids));
      return ids.map((id) => found.get(id) ?? null);
    }),
    attempts: byNode(async (nodes) => valueOrError(await control.attempts(actor, nodes))),
    evidence: byNode(async (nodes) => valueOrError(await control.evidence(actor, nodes))),
    events: byPage(
      async (ids, { after, limit }) => valueOrError(await control.events(actor, ids, after, limit)),
      () => [],
    ),
    eventGap: byPage<number, EventGap | null>(
      async (ids, { after }) => valueOrError(await control.eventGaps(actor, ids, after)),
      () => null,
    ),
    evidencePage: byPage(
      async (ids, page) => valueOrError(await control.evidencePages(actor, ids, page)),
      () => [],
    ),
    artifactsOfOperation: byPage(
      async (ids, page) => valueOrError(await control.artifactPages(actor, 'operation', ids, page)),
      () => [],
    ),
    artifactsOfOwner: byPage(
      async (ids, page) => valueOrError(await control.artifactPages(actor, 'owner', ids, page)),
      () => [],
    ),
    artifactBytes: new DataLoader(async (ids) => {
      const found = valueOrError(await control.artifactBytes(actor, ids, INLINE_BYTES));
      return ids.map((id) => found.get(id) ?? null);
    }),
    resource: new DataLoader(async (keys) => {
      const found = new Map(
        valueOrError(await control.resources(actor, { keys })).map((one) => [
          one.key,
          new ResourceObject(one),
        ]),
      );
      return keys.map((key) => found.get(key) ?? null);
    }),
    facts: new DataLoader(async (keys) => {
      const found = valueOrError(await control.facts(actor, keys));
      const byResource = new Map<string, Fact[]>(keys.map((key) => [key, []]));
      for (const fact of found) byResource.get(fact.resource)?.push(fact);
      return keys.map((key) => byResource.get(key) ?? []);
    }),
    environment: new DataLoader(async (names) => {
      const found = new Map(valueOrError(await control.environments(actor)).map((one) => [one.name, one]));
      return names.map((name) => new EnvironmentType(found.get(name) ?? { name, kind: 'standard' }));
    }),
    forbidden: new DataLoader((verbs) =>
      Promise.all(
        verbs.map(async (verb) => {
          const outcome = await control.may(actor, verb, 'operations');
          return outcome.ok ? null : (outcome.problems[0]?.text ?? null);
        }),
      ),
    ),
  };
}

/** For lists: an empty list would claim that there is nothing. */
export function valueOrError<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new GraphQLError(outcome.problems[0]?.code ?? 'refused', { extensions: { code: 'BAD_REQUEST' } });
}

function byNode<T extends { readonly operationId: string; readonly nodeKey: string | null }>(
  load: (nodes: readonly NodeOfOperation[]) => Promise<readonly T[]>,
): DataLoader<NodeOfOperation, readonly T[], string> {
  const nameOf = ({
    operationId,
    nodeKey,
  }: {
    readonly operationId: string;
    readonly nodeKey: string | null;
  }) => `${operationId}|${nodeKey}`;
  return new DataLoader(
    async (wanted: readonly NodeOfOperation[]) => {
      const found = new Map<string, T[]>(wanted.map((one) => [nameOf(one), []]));
      for (const row of await load(wanted)) found.get(nameOf(row))?.push(row);
      return wanted.map((one) => found.get(nameOf(one)) ?? []);
    },
    { cacheKeyFn: nameOf },
  );
}

/** Siblings ask for the same page, so one call serves them all; other pages of the same request cost a call each. */
function byPage<A extends string | number | null, T>(
  load: (
    parents: readonly string[],
    page: { readonly after: A; readonly limit: number },
  ) => Promise<ReadonlyMap<string, T>>,
  none: () => T,
): DataLoader<PageKey<A>, T, string> {
  return new DataLoader(
    async (wanted) => {
      const pages = new Map<string, PageKey<A>[]>();
      for (const one of wanted) {
        const name = JSON.stringify([one.after, one.limit]);
        const known = pages.get(name);
        if (known) known.push(one);
        else pages.set(name, [one]);
      }
      const found = new Map<PageKey<A>, T>();
      await Promise.all(
        [...pages.values()].map(async (siblings) => {
          const [first] = siblings;
          if (!first) return;
          const rows = await load(
            siblings.map((one) => one.parent),
            first,
          );
          for (const one of siblings) found.set(one, rows.get(one.parent) ?? none());
        }),
      );
      return wanted.map((one) => found.get(one) ?? none());
    },
    { cacheKeyFn: ({ parent, after, limit }) => JSON.stringify([parent, after, limit]) },
  );
}

function gone(): GraphQLError {
  return new GraphQLError('the operation was removed meanwhile', { extensions: { code: 'BAD_REQUEST' } });
}
