import type { PlanNode, Text } from '@capstan/model';
import { hostName, isAttemptEnd, isEnd, needsPerson, packText, text } from '@capstan/model';
import type { RunNode, RunView } from './run-view.js';

export const ACTION_VERBS = ['cancel', 'retry'] as const;
export type ActionVerb = (typeof ACTION_VERBS)[number];

/** What a viewer may do now, else why not; and what it would do. */
export interface AllowedAction {
  readonly verb: ActionVerb;
  readonly allowed: boolean;
  /** Null when it is allowed. */
  readonly why: Text | null;
  readonly effect: Text;
}

/**
 * Cancel and retry of an operation. `forbidden` is what keeps this viewer from running things, null when nothing does.
 * The state rules are those of the commands themselves, so nothing is offered that the command would refuse (V15).
 */
export function actionsOf(view: RunView, forbidden: Text | null): readonly AllowedAction[] {
  const { operation } = view;
  const args = { operation: operation.number, status: operation.status };
  const over = isEnd(operation.status) || operation.status === 'cancelling';
  const stopped = view.nodes.filter((node) => needsPerson(node.status));
  const isUnproven = operation.reason?.code === 'provides_unproven';
  const noCancel = over ? text('cancel.operation_over', args) : null;
  const noRetry = over
    ? text('retry.operation_over', args)
    : stopped.length === 0 && !isUnproven
      ? text('retry.nothing_stopped', args)
      : null;
  return [
    action('cancel', forbidden ?? noCancel, over ? text('cancel.effect_none') : cancelEffect(view)),
    action('retry', forbidden ?? noRetry, over ? text('retry.effect_none') : retryEffect(view, stopped)),
  ];
}

/** Retry of one node. */
export function nodeActionsOf(
  view: RunView,
  nodeKey: string,
  forbidden: Text | null,
): readonly AllowedAction[] {
  const { operation } = view;
  const node = view.nodes.find((one) => one.key === nodeKey);
  const over = isEnd(operation.status) || operation.status === 'cancelling';
  const why = over
    ? text('retry.operation_over', { operation: operation.number, status: operation.status })
    : !node
      ? text('retry.no_node', { node: nodeKey, operation: operation.number })
      : needsPerson(node.status)
        ? null
        : text('retry.node_not_stopped', { node: nodeKey, status: node.status });
  const effect = node && why === null ? retryEffect(view, [node]) : text('retry.effect_none');
  return [action('retry', forbidden ?? why, effect)];
}

function action(verb: ActionVerb, why: Text | null, effect: Text): AllowedAction {
  return { verb, allowed: why === null, why, effect };
}

function cancelEffect(view: RunView): Text {
  const running = view.nodes.filter((node) => isAlive(node) || isUnconfirmed(node));
  const waiting = view.nodes.filter((node) => node.status === 'pending' || node.status === 'ready').length;
  const args = { waiting, done: doneOf(view) };
  if (running.length === 0) return text('cancel.effect_idle', args);
  return text('cancel.effect', { ...args, running: running.length, hosts: hostsOf(view, running) });
}

function retryEffect(view: RunView, stopped: readonly RunNode[]): Text {
  if (stopped.length === 0) return text('retry.effect_proof', { done: doneOf(view) });
  const planned = plannedOf(view, stopped);
  const risky = planned.filter((node) => !(view.plan?.jobs[node.job ?? '']?.run?.idempotent ?? true));
  const args = {
    count: stopped.length,
    hosts: hostsOf(view, stopped),
    after: behind(view, stopped),
    done: doneOf(view),
    ...titles(view, planned, 'steps'),
  };
  // Running something twice that is not marked as harmless is the one thing to know before one says yes (S28).
  return risky.length === 0
    ? text('retry.effect', args)
    : text('retry.effect_twice', { ...args, ...titles(view, risky, 'risky') });
}

function isAlive(node: RunNode): boolean {
  const isAtWork = node.status === 'running' || node.status === 'verifying';
  return isAtWork && (node.attemptStatus === null || !isAttemptEnd(node.attemptStatus));
}

/** A kill that its host has not confirmed: another cancel asks again (C10). */
function isUnconfirmed(node: RunNode): boolean {
  return node.status === 'unknown' && node.attemptStatus === 'cancel_unconfirmed';
}

function doneOf(view: RunView): number {
  return view.nodes.filter((node) => node.status === 'succeeded').length;
}

/** How many nodes wait behind these, near or far. */
function behind(view: RunView, stopped: readonly RunNode[]): number {
  const blocked = new Set(stopped.map((node) => node.key));
  const before = blocked.size;
  for (const node of view.plan?.nodes ?? [])
    if (node.dependsOn.some((key) => blocked.has(key))) blocked.add(node.key);
  return blocked.size - before;
}

function plannedOf(view: RunView, nodes: readonly RunNode[]): readonly PlanNode[] {
  const keys = new Set(nodes.map((node) => node.key));
  return (view.plan?.nodes ?? []).filter((node) => keys.has(node.key));
}

const SHOWN = 5;

function hostsOf(view: RunView, nodes: readonly RunNode[]): string {
  const targets = plannedOf(view, nodes).flatMap((node) =>
    node.target === null ? [] : [hostName(node.target)],
  );
  return short([...new Set(targets)]);
}

function titles(view: RunView, nodes: readonly PlanNode[], name: string): Record<string, string> {
  const of = (locale: 'en' | 'ru'): string =>
    short([...new Set(nodes.map((n) => packText(view.plan?.jobs[n.job ?? '']?.title ?? n.key, locale)))]);
  const [en, ru] = [of('en'), of('ru')];
  return en === ru ? { [name]: en } : { [name]: en, [`${name}_ru`]: ru };
}

function short(names: readonly string[]): string {
  const rest = names.length - SHOWN;
  return rest > 0 ? `${names.slice(0, SHOWN).join(', ')} +${rest}` : names.join(', ');
}
