import type { OperationSummary } from '../ports/operation-lists.js';
import type { StoredOperation } from '../ports/operation-store.js';
import type { EventGap, ReadModel, StoredAttempt } from '../ports/read-model.js';
import type { OperationAttempt, StoredArtifact, StoredEvidence } from '../ports/records.js';
import type { RunView } from '../run-view.js';
import type { MemoryEngine } from './memory-engine.js';

const AT = '2026-01-01T00:00:00.000Z';

/** What a test says retention removed. */
export interface Pruned {
  gap: EventGap | null;
  readonly logs: Map<string, Partial<Pick<StoredAttempt, 'logSize' | 'logCut' | 'logPruned'>>>;
}

/** What clients read of an engine in memory. Times are made up, and there is no history. */
export function memoryReadModel(
  engine: Pick<MemoryEngine, 'operations' | 'inventory' | 'logs' | 'dependencies'>,
  pruned: Pruned = { gap: null, logs: new Map() },
): ReadModel {
  const { operations, inventory, logs } = engine;
  const all = (): readonly StoredOperation[] => operations.all();
  const eventsOf = (id: string, after: number, limit: number) =>
    operations.events
      .filter((event) => event.operationId === id && event.sequence > after)
      .slice(0, limit)
      .map(({ operationId: _, ...event }) => ({ event, at: AT }));
  const attemptsOf = (stored: StoredOperation): Promise<OperationAttempt[]> =>
    Promise.all(
      stored.attempts.map(async (one) => ({
        ...one,
        operationId: stored.id,
        startedAt: AT,
        endedAt: null,
        logSize: await logs.size(one.id),
        logComplete: one.end !== null,
        logEtag: '1',
        ...pruned.logs.get(one.id),
      })),
    );
  const allAttempts = async () => (await Promise.all(all().map(attemptsOf))).flat();
  const planIdOf = (id: string) => all().find((one) => one.id === id)?.planId ?? '';
  const evidence = (): StoredEvidence[] =>
    operations.evidence.map((one) => ({ ...one, planId: planIdOf(one.operationId) }));
  const artifacts = (): StoredArtifact[] =>
    inventory.artifactRows.map((one) => ({ nodeKey: null, attemptId: null, ...one }));
  const gap = (after: number) => (pruned.gap && pruned.gap.last > after ? pruned.gap : null);
  const paged = <T extends { readonly id: string }>(
    rows: readonly T[],
    after: string | null,
    limit: number,
  ) =>
    rows
      .filter((row) => after === null || row.id > after)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  return {
    operations: ({ first, before, subject, statuses }) => {
      const rows = [...all()].reverse().map(summaryOf);
      const start = before === undefined ? 0 : rows.findIndex((row) => row.id === before) + 1;
      return Promise.resolve(
        rows
          .slice(start)
          .filter((row) => subject === undefined || row.subject === subject)
          .filter((row) => statuses?.includes(row.status) ?? true)
          .slice(0, first),
      );
    },
    operationsByRef: (refs) =>
      Promise.resolve(
        all()
          .filter((one) => refs.includes(one.id) || refs.includes(one.number))
          .map(summaryOf),
      ),
    operationsOf: (subjects, { before, limit }) => {
      const rows = [...all()].reverse().map(summaryOf);
      const start = before === null ? 0 : rows.findIndex((row) => row.id === before) + 1;
      return Promise.resolve(
        new Map(
          subjects.map((key) => [
            key,
            rows
              .slice(start)
              .filter((row) => row.subject === key)
              .slice(0, limit),
          ]),
        ),
      );
    },
    childrenOf: () => Promise.resolve([]),
    runs: (wanted) => {
      const ids = new Set(wanted.map((one) => one.id));
      const found = all().filter((one) => ids.has(one.id));
      return Promise.resolve(new Map(found.map((one) => [one.id, viewOf(one, stagesOf(engine, one))])));
    },
    plans: (ids) =>
      Promise.resolve(
        new Map(
          all()
            .filter((one) => ids.includes(one.planId))
            .map((one) => [one.planId, { id: one.planId, plan: one.plan, createdAt: AT }]),
        ),
      ),
    events: (id, after, limit) => Promise.resolve(eventsOf(id, after, limit)),
    eventsOf: (ids, after, limit) =>
      Promise.resolve(new Map(ids.map((id) => [id, eventsOf(id, after, limit)]))),
    eventGap: (_, after) => Promise.resolve(gap(after)),
    eventGapsOf: (ids, after) => {
      const found = gap(after);
      return Promise.resolve(new Map(found ? ids.map((id) => [id, found]) : []));
    },
    stages: (id) => {
      const stored = all().find((one) => one.id === id);
      return Promise.resolve(stored ? stagesOf(engine, stored) : []);
    },
    attempts: async (id, keys) =>
      (await allAttempts()).filter((one) => one.operationId === id && (keys?.includes(one.nodeKey) ?? true)),
    attemptsOf: async (nodes) =>
      (await allAttempts()).filter((a) =>
        nodes.some((n) => n.operationId === a.operationId && n.nodeKey === a.nodeKey),
      ),
    attemptsById: async (ids) => (await allAttempts()).filter((one) => ids.includes(one.id)),
    evidence: (id, keys) =>
      Promise.resolve(
        evidence().filter((one) => one.operationId === id && (keys?.includes(one.nodeKey ?? '') ?? true)),
      ),
    evidenceOf: (nodes) =>
      Promise.resolve(
        evidence().filter((e) =>
          nodes.some((n) => n.operationId === e.operationId && n.nodeKey === e.nodeKey),
        ),
      ),
    evidencePages: (ids, { after, limit }) =>
      Promise.resolve(
        new Map(
          ids.map((id) => [
            id,
            paged(
              evidence().filter((one) => one.operationId === id),
              after,
              limit,
            ),
          ]),
        ),
      ),
    evidenceById: (ids) => Promise.resolve(evidence().filter((one) => ids.includes(one.id))),
    artifactPages: (by, parents, { after, limit }) => {
      const parentOf = (one: StoredArtifact) => (by === 'owner' ? one.owner : one.operationId);
      return Promise.resolve(
        new Map(
          parents.map((parent) => [
            parent,
            paged(
              artifacts().filter((one) => parentOf(one) === parent),
              after,
              limit,
            ),
          ]),
        ),
      );
    },
    artifactsById: (ids) => Promise.resolve(artifacts().filter((one) => ids.includes(one.id))),
    artifactBytes: async (ids, limit) => {
      const rows = inventory.artifactRows.filter((one) => ids.includes(one.id) && !one.sensitive);
      const read = await Promise.all(
        rows.map(async ({ id, size, storage }) => {
          const bytes = storage.kind === 'blob' ? await engine.dependencies.blobs.get(storage.hash) : null;
          return bytes && size <= limit ? ([[id, bytes]] as const) : [];
        }),
      );
      return new Map(read.flat());
    },
    eventsAcross: () => Promise.resolve({ events: [], epoch: '1' }),
    epoch: () => Promise.resolve('1'),
    ready: () => Promise.resolve(true),
  };
}

function stagesOf({ operations }: Pick<MemoryEngine, 'operations'>, { id, plan }: StoredOperation) {
  return plan.stages.flatMap((stage) => operations.stages.get(`${id}|${stage.id}`) ?? []);
}

function summaryOf(stored: StoredOperation): OperationSummary {
  return {
    ...stored,
    title: stored.plan.title,
    scenario: stored.plan.scenario.id,
    planId: stored.planId,
    planRevision: stored.plan.revision,
    parentId: null,
    startedAt: stored.status === 'planned' ? null : AT,
    changedAt: AT,
  };
}

function viewOf(stored: StoredOperation, stages: RunView['stages']): RunView {
  const attempts = new Map(stored.attempts.map((one) => [one.id, one]));
  return {
    operation: summaryOf(stored),
    plan: stored.plan,
    stages,
    nodes: stored.nodes.map((node) => ({
      ...node,
      attemptStatus: attempts.get(node.attemptId ?? '')?.status ?? null,
      startedAt: node.attemptId === null ? null : AT,
      endedAt: null,
      since: node.reason === null ? null : AT,
    })),
    history: null,
  };
}
