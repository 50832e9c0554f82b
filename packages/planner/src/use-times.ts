import type { Draft, Position } from './draft.js';
import type { Frame } from './frame.js';

/** When a node is expected to need its inputs, counted from `now`. */
export interface UseTimes {
  /** RFC 3339. */
  at(position: Position): string;
}

/** Expiry is judged with P90 + 20 %, so that a token does not die on a slow day (S27). A job without an estimate counts nothing. */
const MARGIN = 1.2;

/**
 * Estimates when each place of the listing is reached, before any edge is known: the stages one after the other along
 * their barriers, inside a stage the listed jobs one after the other. That is the latest a well-behaved plan gets there.
 */
export function estimateUse(frame: Frame, drafts: readonly Draft[]): UseTimes {
  const longest = new Map<string, number>();
  for (const { position, job } of drafts) {
    const slot = `${position.stage} ${position.listing}`;
    longest.set(slot, Math.max(longest.get(slot) ?? 0, job.estimate?.p90Ms ?? 0));
  }
  const listings = [...new Set(drafts.map(({ position }) => `${position.stage} ${position.listing}`))]
    .map((slot) => slot.split(' ').map(Number) as [number, number])
    .sort((a, b) => a[1] - b[1]);
  const starts = new Map<string, number>();
  const ends: number[] = [];
  for (const [index, stage] of frame.stages.listed.entries()) {
    let at = Math.max(0, ...stage.after.map((id) => ends[frame.stages.place(id)] ?? 0));
    for (const [, listing] of listings.filter(([of]) => of === index)) {
      starts.set(`${index} ${listing}`, at);
      at += longest.get(`${index} ${listing}`) ?? 0;
    }
    ends.push(at);
  }
  const now = Date.parse(frame.known.now);
  return {
    at: ({ stage, listing }) =>
      new Date(now + Math.round((starts.get(`${stage} ${listing}`) ?? 0) * MARGIN)).toISOString(),
  };
}
