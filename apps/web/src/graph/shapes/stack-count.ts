import { type NodeStatus, needsPerson } from '@capstan/model';

/** A stack in numbers. */
export interface StackCount {
  /** Of all together: what needs a person first, then what moves, then what is left. */
  readonly status: NodeStatus;
  readonly done: number;
  readonly running: number;
  /** Keys that stopped without success, in plan order. */
  readonly stopped: readonly string[];
  readonly rest: number;
}

/** Counts the members of a stack. */
export function countStack(keys: readonly string[], statuses: ReadonlyMap<string, NodeStatus>): StackCount {
  const of = (...wanted: NodeStatus[]) =>
    keys.filter((key) => wanted.includes(statuses.get(key) ?? 'pending'));
  const stopped = keys.filter((key) => needsPerson(statuses.get(key) ?? 'pending'));
  const done = of('succeeded', 'skipped', 'superseded').length;
  const verifying = of('verifying').length;
  const running = of('running').length + verifying;
  const cancelled = of('cancelled').length;
  const rest = keys.length - done - running - stopped.length;
  const first = stopped[0] === undefined ? undefined : statuses.get(stopped[0]);
  return {
    status:
      first ?? overall({ done, running, verifying, cancelled, all: keys.length, ready: of('ready').length }),
    done,
    running,
    stopped,
    rest,
  };
}

/** `w3` of `join[w3]`: what people call a member of a stack. */
export function hostOfKey(key: string): string {
  return /\[(.+)\]$/.exec(key)?.[1] ?? key;
}

function overall(count: {
  done: number;
  running: number;
  verifying: number;
  cancelled: number;
  all: number;
  ready: number;
}): NodeStatus {
  if (count.running > 0) return count.verifying === count.running ? 'verifying' : 'running';
  if (count.done === count.all) return 'succeeded';
  if (count.cancelled > 0) return 'cancelled';
  // Some are done and none moves: it is between two batches.
  if (count.done > 0) return 'running';
  return count.ready > 0 ? 'ready' : 'pending';
}
