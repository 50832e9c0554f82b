import type { PackText } from '@capstan/model';
import { isEnd, needsPerson } from '@capstan/model';
import { asksAtOnce } from './attention.js';
import { remainingOf } from './remaining.js';
import type { RunNode, RunView } from './run-view.js';

export interface Progress {
  /** Title of the phase that is at work, or next; null when the operation is over. */
  readonly phase: PackText | null;
  /** Phases whose every step is proved. Falls only when a patch changes the plan (UX-S2). */
  readonly phasesDone: number;
  readonly phasesTotal: number;
  /** Phases that only a patch put there. */
  readonly addedByPatch: number;
  /** Steps, or the operation itself, that wait for a person. */
  readonly needsAttention: number;
  /** Null without ground: no history of this scenario, and fewer than two finished phases (UX-S3). */
  readonly remaining: { readonly lowSeconds: number; readonly highSeconds: number } | null;
  /** It has run longer than nine of ten before it. */
  readonly longerThanUsual: boolean;
  /** When it will probably ask a person next; null: not foreseen. */
  readonly nextPersonAt: string | null;
}

/** Fewer operations than this say nothing about the tenth that is slowest. */
const RUNS_FOR_P90 = 3;
const PHASES_AS_GROUND = 2;

/** How far an operation is: a projection of its rows, never a decision. */
export function progressOf(view: RunView, now: string): Progress {
  const { operation, stages } = view;
  const phasesDone = stages.filter((stage) => stage.status === 'succeeded').length;
  const moving =
    operation.status === 'planned' || operation.status === 'waiting' || operation.status === 'running';
  const hasGround = (view.history?.runs ?? 0) > 0 || phasesDone >= PHASES_AS_GROUND;
  const remaining = moving && hasGround ? remainingOf(view, now) : null;
  return {
    phase: phaseOf(view),
    phasesDone,
    phasesTotal: stages.length,
    addedByPatch: addedByPatch(view),
    needsAttention: attentionCount(view),
    remaining: remaining && { lowSeconds: seconds(remaining.low), highSeconds: seconds(remaining.high) },
    longerThanUsual: isLonger(view, now),
    nextPersonAt:
      remaining?.personInMs == null ? null : new Date(Date.parse(now) + remaining.personInMs).toISOString(),
  };
}

/** Whether nothing but a person gets this node on. */
export function asksPerson(node: RunNode): boolean {
  if (needsPerson(node.status)) return true;
  const isOver =
    node.status === 'succeeded' ||
    node.status === 'cancelled' ||
    node.status === 'skipped' ||
    node.status === 'superseded';
  return !isOver && node.reason !== null && asksAtOnce(node.reason);
}

function phaseOf({ operation, plan, stages }: RunView): PackText | null {
  if (isEnd(operation.status)) return null;
  const open = stages.filter((stage) => stage.status !== 'succeeded');
  const now =
    open.find((stage) => stage.status === 'running' || stage.status === 'needs_attention') ?? open[0];
  // Everything is proved but the whole: the last phase is still the one at work.
  const id = (now ?? stages.at(-1))?.id;
  if (id === undefined) return null;
  return plan?.stages.find((stage) => stage.id === id)?.title ?? id;
}

function addedByPatch({ plan }: RunView): number {
  if (!plan) return 0;
  const byStage = new Map<string, boolean>();
  for (const node of plan.nodes)
    byStage.set(node.stage, (byStage.get(node.stage) ?? true) && node.origin === 'patch');
  return [...byStage.values()].filter(Boolean).length;
}

function attentionCount({ operation, nodes }: RunView): number {
  if (isEnd(operation.status)) return 0;
  const asking = nodes.filter(asksPerson).length;
  return asking === 0 && operation.status === 'needs_attention' ? 1 : asking;
}

function isLonger({ operation, plan, history }: RunView, now: string): boolean {
  if (isEnd(operation.status) || operation.startedAt === null) return false;
  const usual = history && history.runs >= RUNS_FOR_P90 ? history.total.p90Ms : plan?.estimate?.p90Ms;
  return usual !== undefined && Date.parse(now) - Date.parse(operation.startedAt) > usual;
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
