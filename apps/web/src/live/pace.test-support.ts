import type { Pace } from './flush-window';

/** A pace that a test moves by hand; what is due is painted at once. */
export function handPace(): Pace & { advance(ms: number): void } {
  let at = 0;
  let timers: { due: number; run: () => void }[] = [];
  return {
    now: () => at,
    after: (ms, run) => void timers.push({ due: at + ms, run }),
    paint: (run) => run(),
    advance(ms) {
      at += ms;
      const due = timers.filter((timer) => timer.due <= at);
      timers = timers.filter((timer) => timer.due > at);
      for (const timer of due) timer.run();
    },
  };
}

/** The same numbers in the same order for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
