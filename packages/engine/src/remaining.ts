import type { PlanNode } from '@capstan/model';
import type { RunNode, RunView, Usual } from './run-view.js';
import { stepName } from './run-view.js';

/** What is left of an operation along its critical path, ms from now; `personInMs`: until its next gate. */
export interface Remaining {
  readonly low: number;
  readonly high: number;
  readonly personInMs: number | null;
}

/** Null while one open node has no duration to go by: a sum with holes would be a lie. Never negative (UX-S3). */
export function remainingOf(view: RunView, now: string): Remaining | null {
  if (!view.plan) return null;
  const runs = new Map(view.nodes.map((node) => [node.key, node]));
  const own = ownPace(view.nodes);
  const ends = new Map<string, { low: number; high: number }>();
  let low = 0;
  let high = 0;
  let personInMs: number | null = null;
  // The nodes stand in an order that respects every edge, so what comes before a node has its end already.
  for (const node of view.plan.nodes) {
    const run = runs.get(node.key);
    const start = latest(node.dependsOn, ends);
    const left = run && isDone(run) ? { p50Ms: 0, p90Ms: 0 } : leftOf(view, node, run, own, now);
    if (!left) return null;
    if (node.kind === 'gate' && !(run && isDone(run)))
      personInMs = Math.min(personInMs ?? start.low, start.low);
    const end = { low: start.low + left.p50Ms, high: start.high + Math.max(left.p50Ms, left.p90Ms) };
    ends.set(node.key, end);
    low = Math.max(low, end.low);
    high = Math.max(high, end.high);
  }
  return { low, high, personInMs };
}

function isDone(run: RunNode): boolean {
  return run.status === 'succeeded' || run.status === 'skipped' || run.status === 'superseded';
}

function latest(
  keys: readonly string[],
  ends: ReadonlyMap<string, { readonly low: number; readonly high: number }>,
): { readonly low: number; readonly high: number } {
  let low = 0;
  let high = 0;
  for (const key of keys) {
    const end = ends.get(key);
    if (!end) continue;
    low = Math.max(low, end.low);
    high = Math.max(high, end.high);
  }
  return { low, high };
}

/** History first, then what the pack says, then the pace of this very operation. A gate takes no time of its own. */
function leftOf(
  view: RunView,
  node: PlanNode,
  run: RunNode | undefined,
  own: Usual | null,
  now: string,
): Usual | null {
  if (node.kind === 'gate') return { p50Ms: 0, p90Ms: 0 };
  const usual =
    view.history?.steps.get(stepName(node.key)) ?? view.plan?.jobs[node.job ?? '']?.estimate ?? own;
  if (!usual) return null;
  const isRunning = run?.status === 'running' || run?.status === 'verifying';
  const spent = isRunning && run.startedAt !== null ? Date.parse(now) - Date.parse(run.startedAt) : 0;
  return { p50Ms: Math.max(0, usual.p50Ms - spent), p90Ms: Math.max(0, usual.p90Ms - spent) };
}

function ownPace(nodes: readonly RunNode[]): Usual | null {
  const took = nodes
    .filter((node) => node.status === 'succeeded' && node.startedAt !== null && node.endedAt !== null)
    .map((node) => Date.parse(node.endedAt ?? '') - Date.parse(node.startedAt ?? ''))
    .sort((a, b) => a - b);
  const at = (share: number): number | undefined => took[Math.ceil(took.length * share) - 1];
  const [p50Ms, p90Ms] = [at(0.5), at(0.9)];
  return p50Ms === undefined || p90Ms === undefined ? null : { p50Ms, p90Ms };
}
