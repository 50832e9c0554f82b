import type {
  Actor,
  Environment,
  Fact,
  Outcome,
  Pack,
  Problem,
  ProblemCode,
  Resource,
  Scenario,
} from '@capstan/model';
import { ok, refused, text } from '@capstan/model';
import type { Authorize, Verb } from './authorize.js';
import { allowAll } from './authorize.js';
import type { EngineDependencies } from './dependencies.js';
import type { HostConnection } from './ports/host-port.js';
import type { OperationFilter, OperationSummary, StoredPlan } from './ports/operation-lists.js';
import type { EventGap, ReadModel, StoredAttempt, StoredEvent } from './ports/read-model.js';
import type {
  NodeOfOperation,
  OperationAttempt,
  RecordPage,
  StoredArtifact,
  StoredEvidence,
} from './ports/records.js';
import type { RunView } from './run-view.js';

export interface ReadingDependencies
  extends Pick<EngineDependencies, 'store' | 'inventory' | 'packs' | 'logs'> {
  readonly readModel: ReadModel;
  readonly authorize?: Authorize;
}

/** Every use case that only reads. Lists take many parents at once, so that what is nested in them costs one statement. */
export class Reading {
  protected readonly authorize: Authorize;

  constructor(private readonly sources: ReadingDependencies) {
    this.authorize = sources.authorize ?? allowAll;
  }

  /** Whether this actor may do that: refused with what is missing and who can. */
  may(actor: Actor, verb: Verb, object: string): Promise<Outcome<null>> {
    return this.permitted(actor, verb, object, () => Promise.resolve(ok(null)));
  }

  operations(actor: Actor, filter: OperationFilter): Promise<Outcome<readonly OperationSummary[]>> {
    return this.view(actor, 'operations', () => this.sources.readModel.operations(filter));
  }

  /** Those that exist of these ids and numbers, in any order. */
  operationsByRef(actor: Actor, refs: readonly string[]): Promise<Outcome<readonly OperationSummary[]>> {
    return this.view(actor, 'operations', () => this.sources.readModel.operationsByRef(refs));
  }

  operationsOf(
    actor: Actor,
    subjects: readonly string[],
    page: { readonly before: string | null; readonly limit: number },
  ): Promise<Outcome<ReadonlyMap<string, readonly OperationSummary[]>>> {
    return this.view(actor, 'operations', () => this.sources.readModel.operationsOf(subjects, page));
  }

  childrenOf(actor: Actor, parentIds: readonly string[]): Promise<Outcome<readonly OperationSummary[]>> {
    return this.view(actor, 'operations', () => this.sources.readModel.childrenOf(parentIds));
  }

  /** What progress, blockers and allowed actions are projected from, by operation id. */
  runs(
    actor: Actor,
    operations: readonly OperationSummary[],
    nodes: 'open' | 'all',
  ): Promise<Outcome<ReadonlyMap<string, RunView>>> {
    return this.view(actor, 'operations', () => this.sources.readModel.runs(operations, nodes));
  }

  plans(actor: Actor, ids: readonly string[]): Promise<Outcome<ReadonlyMap<string, StoredPlan>>> {
    return this.view(actor, 'plans', () => this.sources.readModel.plans(ids));
  }

  events(
    actor: Actor,
    operationIds: readonly string[],
    after: number,
    limit: number,
  ): Promise<Outcome<ReadonlyMap<string, readonly StoredEvent[]>>> {
    return this.view(actor, 'operations', () => this.sources.readModel.eventsOf(operationIds, after, limit));
  }

  /** What of `events` after that sequence retention removed. */
  eventGaps(
    actor: Actor,
    operationIds: readonly string[],
    after: number,
  ): Promise<Outcome<ReadonlyMap<string, EventGap>>> {
    return this.view(actor, 'operations', () => this.sources.readModel.eventGapsOf(operationIds, after));
  }

  attempts(actor: Actor, nodes: readonly NodeOfOperation[]): Promise<Outcome<readonly OperationAttempt[]>> {
    return this.view(actor, 'operations', () => this.sources.readModel.attemptsOf(nodes));
  }

  attemptsById(actor: Actor, ids: readonly string[]): Promise<Outcome<readonly OperationAttempt[]>> {
    return this.view(actor, 'operations', () => this.sources.readModel.attemptsById(ids));
  }

  evidence(actor: Actor, nodes: readonly NodeOfOperation[]): Promise<Outcome<readonly StoredEvidence[]>> {
    return this.view(actor, 'operations', () => this.sources.readModel.evidenceOf(nodes));
  }

  evidencePages(
    actor: Actor,
    operationIds: readonly string[],
    page: RecordPage,
  ): Promise<Outcome<ReadonlyMap<string, readonly StoredEvidence[]>>> {
    return this.view(actor, 'operations', () => this.sources.readModel.evidencePages(operationIds, page));
  }

  evidenceById(actor: Actor, ids: readonly string[]): Promise<Outcome<readonly StoredEvidence[]>> {
    return this.view(actor, 'operations', () => this.sources.readModel.evidenceById(ids));
  }

  artifactPages(
    actor: Actor,
    by: 'owner' | 'operation',
    parents: readonly string[],
    page: RecordPage,
  ): Promise<Outcome<ReadonlyMap<string, readonly StoredArtifact[]>>> {
    return this.view(actor, 'artifacts', () => this.sources.readModel.artifactPages(by, parents, page));
  }

  artifactsById(actor: Actor, ids: readonly string[]): Promise<Outcome<readonly StoredArtifact[]>> {
    return this.view(actor, 'artifacts', () => this.sources.readModel.artifactsById(ids));
  }

  /** Bytes of those artifacts that are neither sensitive nor larger than `limit`. */
  artifactBytes(
    actor: Actor,
    ids: readonly string[],
    limit: number,
  ): Promise<Outcome<ReadonlyMap<string, Uint8Array>>> {
    return this.view(actor, 'artifacts', () => this.sources.readModel.artifactBytes(ids, limit));
  }

  /** Masked output of an attempt of that operation. */
  log(
    actor: Actor,
    input: {
      readonly operation: string;
      readonly attemptId: string;
      readonly from: number;
      readonly limit: number;
    },
  ): Promise<Outcome<{ attempt: StoredAttempt; bytes: Uint8Array }>> {
    return this.permitted(actor, 'view', input.operation, async () => {
      const [attempt] = await this.sources.readModel.attemptsById([input.attemptId]);
      const [operation] = attempt ? await this.sources.readModel.operationsByRef([attempt.operationId]) : [];
      if (!attempt || (operation?.id !== input.operation && operation?.number !== input.operation))
        return refused(
          problem('not_found', 'attempt.not_found', { attempt: input.attemptId, operation: input.operation }),
        );
      return ok({ attempt, bytes: await this.sources.logs.read(attempt.id, input.from, input.limit) });
    });
  }

  /** Ordered by key. All of them, or those of these keys, or of these ids. */
  resources(
    actor: Actor,
    which: { readonly keys?: readonly string[]; readonly ids?: readonly string[] } = {},
  ): Promise<Outcome<readonly Resource[]>> {
    return this.view(actor, 'resources', () => this.sources.inventory.resources(which));
  }

  /** Of these resources. */
  facts(actor: Actor, resourceKeys: readonly string[]): Promise<Outcome<readonly Fact[]>> {
    return this.view(actor, 'resources', () => this.sources.inventory.facts(resourceKeys));
  }

  hosts(actor: Actor): Promise<Outcome<readonly HostConnection[]>> {
    return this.view(actor, 'hosts', () => this.sources.inventory.hosts());
  }

  environments(actor: Actor): Promise<Outcome<readonly Environment[]>> {
    return this.view(actor, 'environments', () => this.sources.inventory.environments());
  }

  scenarios(actor: Actor): Promise<Outcome<readonly Scenario[]>> {
    return this.view(actor, 'scenarios', async () =>
      (await this.sources.packs.catalog()).packs.flatMap((pack) => pack.scenarios),
    );
  }

  packs(actor: Actor): Promise<Outcome<readonly Pack[]>> {
    return this.view(actor, 'packs', async () => (await this.sources.packs.catalog()).packs);
  }

  /** Changes when positions that readers hold mean nothing any more. */
  feedEpoch(actor: Actor): Promise<Outcome<string>> {
    return this.view(actor, 'installation', () => this.sources.readModel.epoch());
  }

  protected async permitted<T>(
    actor: Actor,
    verb: Verb,
    object: string,
    run: () => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    const forbidden = await this.authorize(actor, verb, object);
    return forbidden ? refused(forbidden) : run();
  }

  private view<T>(actor: Actor, object: string, read: () => Promise<T>): Promise<Outcome<T>> {
    return this.permitted(actor, 'view', object, async () => ok(await read()));
  }
}

/** A refusal in words of its own. */
export function problem(
  code: ProblemCode,
  textCode: string,
  args: Record<string, string | number> = {},
): Problem {
  return { code, text: text(textCode, args) };
}
