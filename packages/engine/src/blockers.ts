import type { PackText, Reason, ReasonCode, Text } from '@capstan/model';
import { hostName, isEnd, needsPerson, packText, text } from '@capstan/model';
import { asksPerson } from './progress.js';
import type { RunNode, RunView } from './run-view.js';

export const BLOCKER_KINDS = [
  'step_stopped',
  'final_proof',
  'host',
  'host_key',
  'access',
  'input',
  'capacity',
  'version',
  'retry',
  'worker',
] as const;
export type BlockerKind = (typeof BLOCKER_KINDS)[number];

/** What an operation waits for (L11). */
export interface Blocker {
  readonly kind: BlockerKind;
  readonly what: Text;
  /** `permission:<name>`: anybody who has it; `capstan`: it goes on by itself as soon as it can. */
  readonly who: readonly string[];
  readonly since: string;
  /** Id of the attempt that stopped or waits; null: there is none. */
  readonly link: string | null;
  /** Keys of the nodes that it holds up, the first {@link SHOWN_NODES}. */
  readonly nodeKeys: readonly string[];
}

const SHOWN_NODES = 20;
const SHOWN_BLOCKERS = 20;
/** A planned operation that no worker took for so long says so. */
const WORKER_PATIENCE_MS = 5_000;

const KIND_OF: Partial<Record<ReasonCode, BlockerKind>> = {
  unreachable: 'host',
  disconnected: 'host',
  orphaned: 'host',
  disk_full: 'host',
  not_isolated: 'host',
  no_host_record: 'host',
  host_key_changed: 'host_key',
  host_key_unknown: 'host_key',
  auth_failed: 'access',
  no_sudo: 'access',
  needs_input: 'input',
  input_missing: 'input',
  capacity: 'capacity',
  host_busy: 'capacity',
  predecessor_alive: 'capacity',
  needs_version: 'version',
  provides_unproven: 'final_proof',
};

/** Reasons that say how something came to be where it is, not what it waits for. */
const NO_WAITING: ReadonlySet<ReasonCode> = new Set([
  'retry_requested',
  'already_satisfied',
  'recovered_by_evidence',
  'cancelled_by_person',
  'verifying_provides',
]);

/** What blocks an operation, who can help, and since when; what needs a person first, then the oldest. */
export function blockersOf(view: RunView, now: string): readonly Blocker[] {
  const { operation } = view;
  if (isEnd(operation.status)) return [];
  const groups = new Map<string, { readonly why: Reason | null; readonly nodes: RunNode[] }>();
  const targets = new Map(view.plan?.nodes.map((node) => [node.key, node.target]));
  for (const node of view.nodes) {
    if (!isBlocked(node)) continue;
    const name = JSON.stringify([stateOf(node), node.reason, targets.get(node.key)]);
    const group = groups.get(name);
    if (group) group.nodes.push(node);
    else groups.set(name, { why: node.reason, nodes: [node] });
  }
  const blockers = [...groups.values()].map(({ why, nodes }) => ({
    asks: nodes.some(asksPerson),
    blocker: ofNodes(view, why, nodes),
  }));
  const whole = ofOperation(view, now, blockers.length);
  if (whole) blockers.push({ asks: whole.kind === 'final_proof', blocker: whole });
  return blockers
    .sort((a, b) => Number(b.asks) - Number(a.asks) || (a.blocker.since < b.blocker.since ? -1 : 1))
    .slice(0, SHOWN_BLOCKERS)
    .map(({ blocker }) => blocker);
}

function isBlocked(node: RunNode): boolean {
  if (needsPerson(node.status)) return true;
  const goesOn = node.status === 'pending' || node.status === 'ready' || node.status === 'running';
  return (goesOn || node.status === 'verifying') && node.reason !== null && !NO_WAITING.has(node.reason.code);
}

function stateOf(node: RunNode): 'stopped' | 'waits' {
  return needsPerson(node.status) ? 'stopped' : 'waits';
}

function ofNodes(view: RunView, why: Reason | null, nodes: readonly RunNode[]): Blocker {
  const [first] = nodes;
  const isStopped = first !== undefined && needsPerson(first.status);
  const kind = isStopped ? 'step_stopped' : ((why && KIND_OF[why.code]) ?? 'retry');
  const planned = view.plan?.nodes.find((node) => node.key === first?.key);
  const title = view.plan?.jobs[planned?.job ?? '']?.title ?? first?.key ?? '';
  const many = nodes.length > 1 ? 's' : '';
  const code = isStopped
    ? `blocker.step${many}_stopped`
    : `blocker.step${many}_${kind === 'retry' ? 'retry' : 'wait'}`;
  return {
    kind,
    what: text(code, {
      ...(why?.args ?? {}),
      reason: why?.code ?? 'node_failed',
      count: nodes.length,
      host: planned?.target ? hostName(planned.target) : '',
      ...bothTitles('step', title),
    }),
    who: whoCan(kind, nodes.some(asksPerson)),
    since: nodes.map((node) => node.since ?? view.operation.createdAt).sort()[0] ?? view.operation.createdAt,
    link: first?.attemptId ?? null,
    nodeKeys: nodes.slice(0, SHOWN_NODES).map((node) => node.key),
  };
}

/** What holds up the operation as a whole, where none of its nodes does. */
function ofOperation({ operation }: RunView, now: string, others: number): Blocker | null {
  const { reason: why, createdAt } = operation;
  const common = { link: null, nodeKeys: [] } as const;
  if (operation.status === 'needs_attention' && (why?.code === 'provides_unproven' || others === 0)) {
    const args = { ...(why?.args ?? {}), reason: why?.code ?? 'node_failed' };
    const since = operation.changedAt ?? createdAt;
    return {
      kind: 'final_proof',
      what: text('blocker.whole', args),
      who: ['permission:run'],
      since,
      ...common,
    };
  }
  const isWaiting =
    operation.status === 'planned' && Date.parse(now) - Date.parse(createdAt) > WORKER_PATIENCE_MS;
  if (!isWaiting) return null;
  return { kind: 'worker', what: text('blocker.worker'), who: ['capstan'], since: createdAt, ...common };
}

function whoCan(kind: BlockerKind, asks: boolean): readonly string[] {
  if (kind === 'step_stopped') return ['permission:run'];
  if (!asks) return ['capstan'];
  return kind === 'input' ? ['permission:run', 'permission:manage_hosts'] : ['permission:manage_hosts'];
}

/** A pack's title in every language that it has, as arguments of one text. */
function bothTitles(name: string, title: PackText): Record<string, string> {
  const [en, ru] = [packText(title, 'en'), packText(title, 'ru')];
  return en === ru ? { [name]: en } : { [name]: en, [`${name}_ru`]: ru };
}
