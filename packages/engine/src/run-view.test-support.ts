import type { NodeStatus } from '@capstan/model';
import type { RunHistory, RunNode, RunOperation, RunView } from './run-view.js';
import { type TestNode, testPlan } from './testing/memory-engine.js';

export const NOW = '2026-01-01T01:00:00.000Z';

/** So many seconds before {@link NOW}. */
export function ago(seconds: number): string {
  return new Date(Date.parse(NOW) - seconds * 1000).toISOString();
}

/** A view of a running operation; stages are counted from the nodes, as the engine does it. */
export function runView(
  nodes: readonly (TestNode & { readonly run?: TestNode['run']; readonly is?: Partial<RunNode> })[],
  more: {
    readonly operation?: Partial<RunOperation>;
    readonly plan?: Parameters<typeof testPlan>[1];
    readonly history?: RunHistory | null;
  } = {},
): RunView {
  const plan = testPlan(nodes, more.plan);
  const rows = nodes.map(
    (node): RunNode => ({
      key: node.key,
      status: 'pending',
      reason: null,
      sequence: 1,
      attempt: 0,
      attemptId: null,
      attemptStatus: null,
      startedAt: null,
      endedAt: null,
      since: null,
      ...node.is,
    }),
  );
  const isDone = (status: NodeStatus | undefined) => status === 'succeeded' || status === 'skipped';
  return {
    operation: {
      id: 'op_1',
      number: 'op-1',
      status: 'running',
      reason: null,
      createdAt: ago(600),
      startedAt: ago(600),
      endedAt: null,
      changedAt: ago(1),
      ...more.operation,
    },
    plan,
    nodes: rows,
    stages: plan.stages.map(({ id }) => {
      const mine = plan.nodes.filter((node) => node.stage === id).map((node) => node.key);
      const done = rows.filter((row) => mine.includes(row.key) && isDone(row.status)).length;
      return {
        id,
        status: done === mine.length ? 'succeeded' : done > 0 ? 'running' : 'pending',
        done,
        total: mine.length,
        sequence: 1,
      };
    }),
    history: more.history ?? null,
  };
}

export function done(seconds = 10): Partial<RunNode> {
  return {
    status: 'succeeded',
    attempt: 1,
    attemptId: 'att',
    startedAt: ago(500),
    endedAt: ago(500 - seconds),
  };
}
