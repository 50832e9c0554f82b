import type { NodeRow, StageRow } from '../live/operation-frame';

/** What is worth interrupting a reader for [UX-R17]. */
export type Announcement =
  | { readonly kind: 'stage'; readonly title: string; readonly status: StageRow['status'] }
  | { readonly kind: 'stopped'; readonly key: string; readonly status: NodeRow['status'] };

interface Seen {
  readonly stages: readonly StageRow[];
  readonly rows: ReadonlyMap<string, NodeRow>;
}

const STOPPED: readonly string[] = ['failed', 'unproven', 'unknown'];

/** What changed between two states: stages and steps that stopped, nothing of the chatter between. */
export function announcementsBetween(before: Seen, after: Seen): readonly Announcement[] {
  const stages = new Map(before.stages.map((stage) => [stage.id, stage.status]));
  const changed = after.stages
    .filter(
      (stage) => stages.has(stage.id) && stages.get(stage.id) !== stage.status && stage.status !== 'pending',
    )
    .map((stage): Announcement => ({ kind: 'stage', title: stage.title, status: stage.status }));
  const stopped =
    before.rows.size === 0
      ? []
      : [...after.rows.values()]
          .filter((row) => STOPPED.includes(row.status) && before.rows.get(row.key)?.status !== row.status)
          .map((row): Announcement => ({ kind: 'stopped', key: row.key, status: row.status }));
  return [...stopped, ...changed];
}

/** Hands texts on at most once in `everyMs`, what came meanwhile as one. */
export function speaker(
  say: (text: string) => void,
  everyMs = 5_000,
  now: () => number = Date.now,
  after: (ms: number, run: () => void) => void = (ms, run) => void setTimeout(run, ms),
): (texts: readonly string[]) => void {
  let waiting: string[] = [];
  let last = Number.NEGATIVE_INFINITY;
  let due = false;
  const flush = () => {
    due = false;
    if (waiting.length === 0) return;
    last = now();
    // The newest three: who comes back after a storm wants to know how it stands.
    say(waiting.slice(-3).join('. '));
    waiting = [];
  };
  return (texts) => {
    if (texts.length === 0) return;
    waiting.push(...texts);
    const wait = last + everyMs - now();
    if (wait <= 0) flush();
    else if (!due) {
      due = true;
      after(wait, flush);
    }
  };
}
