/** When the clock and the screen allow the next change; a test passes its own. */
export interface Pace {
  now(): number;
  /** Calls after so many ms. */
  after(ms: number, run: () => void): void;
  /** Calls before the next paint, or at once where nothing is painted. */
  paint(run: () => void): void;
}

/** The browser's own pace. A hidden page gets no animation frames, so there nothing waits for one. */
export const BROWSER_PACE: Pace = {
  now: () => performance.now(),
  after: (ms, run) => void setTimeout(run, ms),
  paint: (run) => (document.visibilityState === 'visible' ? void requestAnimationFrame(run) : run()),
};

/**
 * Calls `flush` at most once in `windowMs`, before a paint. The first call after a pause goes through at once: a single
 * event must not wait out a window that exists for bursts.
 */
export function flushWindow(flush: () => void, pace: Pace, windowMs: number): () => void {
  let last = Number.NEGATIVE_INFINITY;
  let due = false;
  return () => {
    if (due) return;
    due = true;
    const run = () =>
      pace.paint(() => {
        due = false;
        last = pace.now();
        flush();
      });
    const wait = last + windowMs - pace.now();
    if (wait <= 0) run();
    else pace.after(wait, run);
  };
}
