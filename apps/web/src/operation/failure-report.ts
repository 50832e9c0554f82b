import { needsPerson } from '@capstan/model';
import type { PlanView } from '../graph/plan-view';
import { hostOf } from '../graph/plan-view';
import type { NodeRow } from '../live/operation-frame';
import type { OperationLive } from '../live/operation-store';

/** A step that stopped, in the reader's words. */
export interface StoppedStep {
  readonly key: string;
  readonly title: string;
  readonly host: string | null;
  readonly status: NodeRow['status'];
  readonly reason: string | null;
  readonly attempts: number;
}

/** Steps that stopped without success, in plan order. */
export function stoppedSteps(plan: PlanView, live: OperationLive): readonly StoppedStep[] {
  const titles = new Map(plan.jobs.map((job) => [job.id, job.title]));
  return plan.nodes.flatMap((node): StoppedStep[] => {
    const row = live.rows.get(node.key);
    if (row === undefined || !needsPerson(row.status)) return [];
    return [
      {
        key: node.key,
        title: (node.job === null ? undefined : titles.get(node.job)) ?? node.key,
        host: hostOf(node.target),
        status: row.status,
        reason: row.reason,
        attempts: row.attempt,
      },
    ];
  });
}

/** The labels of a report, in the reader's language. */
export interface ReportWords {
  readonly status: string;
  readonly reason: string;
  readonly attempts: string;
  readonly statusOf: (status: NodeRow['status']) => string;
}

/** A report to paste into a ticket [UX-S7]: only texts that the server has masked already, and no log. */
export function reportText(
  live: OperationLive,
  steps: readonly StoppedStep[],
  link: string,
  words: ReportWords,
): string {
  const { head } = live;
  const lines = [
    `${head?.title ?? ''} (${head?.number ?? ''})`,
    link,
    `${words.status}: ${head?.status ?? ''}${head?.reason ? ` – ${head.reason}` : ''}`,
    ...steps.flatMap((step) => [
      '',
      `${step.title}${step.host === null ? '' : ` @ ${step.host}`} [${step.key}]`,
      `  ${words.status}: ${words.statusOf(step.status)}`,
      ...(step.reason === null ? [] : [`  ${words.reason}: ${step.reason}`]),
      `  ${words.attempts}: ${step.attempts}`,
    ]),
  ];
  return `${lines.join('\n')}\n`;
}
