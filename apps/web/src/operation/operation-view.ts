import type { ResultOf } from '../api/graphql';
import type { PlanView } from '../graph/plan-view';
import type { operationQuery } from './documents';

/** What is fixed about an operation while its plan revision runs. */
export interface OperationStatic {
  readonly id: string;
  readonly number: string;
  readonly title: string;
  readonly createdAt: string;
  readonly createdBy: { readonly kind: string; readonly id: string };
  readonly environment: string;
  readonly isLab: boolean;
  readonly resource: string | null;
  readonly parent: { readonly number: string; readonly title: string } | null;
  readonly scenario: string;
  readonly planRevision: number;
  readonly plan: PlanView;
}

/** The screen's view of the query's answer: texts are strings. */
export function operationOf(
  answer: NonNullable<ResultOf<typeof operationQuery>['operation']>,
): OperationStatic {
  return {
    id: answer.id,
    number: answer.number,
    title: answer.title.text,
    createdAt: answer.createdAt,
    createdBy: answer.createdBy,
    environment: answer.environment.name,
    isLab: answer.environment.kind === 'lab',
    resource: answer.resource?.key ?? null,
    parent: answer.parent === null ? null : { number: answer.parent.number, title: answer.parent.title.text },
    scenario: answer.plan.scenario.ref,
    planRevision: answer.plan.revision,
    plan: {
      stages: answer.plan.stages.map((stage) => ({ id: stage.id, title: stage.title.text })),
      jobs: answer.plan.jobs.map((job) => ({ id: job.id, title: job.title.text })),
      nodes: answer.plan.nodes,
    },
  };
}
