import type {
  OperationLists,
  OperationSummary,
  RunHistory,
  RunNode,
  RunView,
  StageWrite,
  StoredPlan,
} from '@capstan/engine';
import type { AttemptStatus, NodeStatus, OperationStatus, PackText, Plan, Reason } from '@capstan/model';
import { isEnd } from '@capstan/model';
import { actorOf } from '../event-row.js';
import type { SummaryRow } from '../sql/list-operations.js';
import {
  LIST_CHILDREN,
  LIST_OPERATIONS,
  LIST_OPERATIONS_BY_REF,
  LIST_OPERATIONS_OF_SUBJECTS,
} from '../sql/list-operations.js';
import { LIST_HISTORY, LIST_NODES_OF, LIST_PLANS, LIST_STAGES_OF } from '../sql/list-runs.js';
import { numberText, refArguments } from './operation-rows.js';
import { PlanCache } from './plan-cache.js';
import type { Read } from './read.js';

/** Operations that are looked at for the history of a scenario, and how many successes of it count. */
const LOOK_BACK = 500;
const RUNS = 10;

/** Operations many at a time, over any pool. */
export function operationLists(read: Read): OperationLists {
  const cache = new PlanCache();
  const plans = async (ids: readonly string[]): Promise<ReadonlyMap<string, StoredPlan>> => {
    const found = cache.take(ids);
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length === 0) return found;
    for (const row of await read<PlanRow>(LIST_PLANS, [[...new Set(missing)]])) {
      const stored = { id: row.id, plan: row.document as Plan, createdAt: row.created_at };
      cache.keep(stored);
      found.set(row.id, stored);
    }
    return found;
  };
  return {
    async operations({ first, before = null, subject = null, statuses = null }) {
      const rows = await read<SummaryRow>(LIST_OPERATIONS, [first, before, subject, statuses]);
      return rows.map(toSummary);
    },
    async operationsByRef(refs) {
      const [ids, numbers]: [string[], number[]] = [[], []];
      for (const ref of refs) {
        const [id, number] = refArguments(ref);
        if (id !== null) ids.push(id);
        if (number !== null) numbers.push(number);
      }
      return (await read<SummaryRow>(LIST_OPERATIONS_BY_REF, [ids, numbers])).map(toSummary);
    },
    async operationsOf(subjects, { before, limit }) {
      const rows = await read<SummaryRow>(LIST_OPERATIONS_OF_SUBJECTS, [subjects, before, limit]);
      return grouped(rows.map(toSummary), (row) => row.subject);
    },
    async childrenOf(parentIds) {
      return (await read<SummaryRow>(LIST_CHILDREN, [parentIds])).map(toSummary);
    },
    async runs(operations, nodes) {
      const open = operations.filter((one) => !isEnd(one.status));
      const whole = nodes === 'all' ? operations : open;
      // A patch may have added phases, which its operation says also after its end.
      const planned = operations.filter((one) => whole.includes(one) || one.planRevision > 1);
      const [stages, rows, byPlan, histories] = await Promise.all([
        read<StageRow>(LIST_STAGES_OF, [operations.map((one) => one.id)]),
        read<NodeRow>(LIST_NODES_OF, [whole.map((one) => one.id)]),
        plans(planned.map((one) => one.planId)),
        readHistory(read, open),
      ]);
      const stagesOf = grouped(stages, (row) => row.operation_id);
      const nodesOf = grouped(rows, (row) => row.operation_id);
      return new Map(
        operations.map((one): [string, RunView] => [
          one.id,
          {
            operation: one,
            plan: byPlan.get(one.planId)?.plan ?? null,
            stages: (stagesOf.get(one.id) ?? []).map(({ operation_id: _, ...stage }) => stage),
            nodes: (nodesOf.get(one.id) ?? []).map(toNode),
            history: histories.get(one.scenario) ?? null,
          },
        ]),
      );
    },
    plans,
  };
}

/** How long earlier operations took, by scenario: one statement. */
export async function readHistory(
  read: Read,
  operations: readonly Pick<OperationSummary, 'scenario'>[],
): Promise<ReadonlyMap<string, RunHistory>> {
  const scenarios = [...new Set(operations.map((one) => one.scenario))];
  const rows = await read<HistoryRow>(LIST_HISTORY, [scenarios, LOOK_BACK, RUNS]);
  const steps = new Map<string, Map<string, { p50Ms: number; p90Ms: number }>>();
  for (const { scenario, step, p50, p90 } of rows) {
    if (step === null) continue;
    const known = steps.get(scenario) ?? new Map<string, { p50Ms: number; p90Ms: number }>();
    steps.set(scenario, known.set(step, { p50Ms: p50, p90Ms: p90 }));
  }
  return new Map(
    rows
      .filter(({ step }) => step === null)
      .map(({ scenario, runs, p50, p90 }) => [
        scenario,
        { runs, total: { p50Ms: p50, p90Ms: p90 }, steps: steps.get(scenario) ?? new Map() },
      ]),
  );
}

/** Rows by their parent, in their order. */
export function grouped<R>(rows: readonly R[], parent: (row: R) => string): Map<string, R[]> {
  const out = new Map<string, R[]>();
  for (const row of rows) {
    const known = out.get(parent(row));
    if (known) known.push(row);
    else out.set(parent(row), [row]);
  }
  return out;
}

interface PlanRow {
  readonly id: string;
  readonly document: unknown;
  readonly created_at: string;
}

interface StageRow extends StageWrite {
  readonly operation_id: string;
}

interface NodeRow {
  readonly operation_id: string;
  readonly key: string;
  readonly status: string;
  readonly reason: unknown;
  readonly sequence: number;
  readonly attempt: number;
  readonly attempt_id: string | null;
  readonly attempt_status: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly since: string | null;
}

interface HistoryRow {
  readonly scenario: string;
  readonly step: string | null;
  readonly runs: number;
  readonly p50: number;
  readonly p90: number;
}

function toNode(row: NodeRow): RunNode {
  return {
    key: row.key,
    status: row.status as NodeStatus,
    reason: row.reason as Reason | null,
    sequence: row.sequence,
    attempt: row.attempt,
    attemptId: row.attempt_id,
    attemptStatus: row.attempt_status as AttemptStatus | null,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    since: row.since,
  };
}

function toSummary(row: SummaryRow): OperationSummary {
  return {
    id: row.id,
    number: numberText(row.number),
    title: row.title as PackText,
    status: row.status as OperationStatus,
    reason: row.reason as Reason | null,
    subject: row.subject,
    environment: row.environment,
    scenario: row.scenario,
    planId: row.plan_id,
    planRevision: row.revision,
    parentId: row.parent_operation_id,
    createdBy: actorOf(row.created_by),
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    changedAt: row.changed_at,
    sequence: row.last_seq,
  };
}
