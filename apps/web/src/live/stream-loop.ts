/** How one stream ended. */
export type StreamEnd =
  /** The server said that nothing follows. */
  | { readonly kind: 'complete' }
  /** The receiver saw a gap and wants to ask again. */
  | { readonly kind: 'again' }
  | { readonly kind: 'lost'; readonly code: number | null; readonly reason: string }
  /** The server answered with errors. */
  | { readonly kind: 'refused'; readonly message: string; readonly code: string | null };

export interface Stream {
  stop(): void;
}

export interface StreamLoopOptions {
  /** Opens one stream; `ended` is called once. */
  readonly open: (ended: (end: StreamEnd) => void) => Stream;
  /** Whether `complete` is believed: only when what is watched is over. */
  readonly over: () => boolean;
  readonly onState: (state: LoopState) => void;
  /** Milliseconds before try n (from 1). */
  readonly backoff?: (attempt: number) => number;
  readonly timer?: (ms: number, run: () => void) => () => void;
}

export type LoopState =
  | { readonly kind: 'open' }
  | { readonly kind: 'done' }
  | { readonly kind: 'retrying'; readonly attempt: number; readonly end: StreamEnd }
  | { readonly kind: 'stopped'; readonly end: StreamEnd };

/** A close that no new try can help: the session is gone, or this address is not let in. */
export const CLOSE_UNAUTHENTICATED = 4401;
const CLOSE_FORBIDDEN = 4403;

/**
 * Keeps a stream open: every end but a believed `complete` is followed by another try, at once after a gap, else with
 * growing pauses. A server that restarts closes cleanly, and that is no reason to stop watching.
 */
export function streamLoop(options: StreamLoopOptions): Stream & { wake(): void; opened(): void } {
  const { backoff = growing, timer = browserTimer } = options;
  let stream: Stream | null = null;
  let cancel: (() => void) | null = null;
  let attempt = 0;
  let stopped = false;

  const start = () => {
    cancel = null;
    let over = false;
    const opened = options.open((end) => {
      if (over || stopped) return;
      over = true;
      // After a gap the stream itself is still there, and must not feed beside the next one.
      stream?.stop();
      stream = null;
      next(end);
    });
    // An opener may end at once, before it has returned.
    if (!over) stream = opened;
  };
  const next = (end: StreamEnd) => {
    if (end.kind === 'complete' && options.over()) return options.onState({ kind: 'done' });
    if (end.kind === 'lost' && (end.code === CLOSE_UNAUTHENTICATED || end.code === CLOSE_FORBIDDEN))
      return options.onState({ kind: 'stopped', end });
    attempt = end.kind === 'again' ? attempt : attempt + 1;
    if (end.kind !== 'again') options.onState({ kind: 'retrying', attempt, end });
    cancel = timer(end.kind === 'again' ? 0 : backoff(attempt), start);
  };
  start();
  return {
    stop() {
      stopped = true;
      cancel?.();
      stream?.stop();
    },
    /** Tries now instead of at the end of the pause: the network is back, or the page is seen again. */
    wake() {
      if (cancel === null || stopped) return;
      cancel();
      start();
    },
    /** The stream gave something: the next loss counts from one again. */
    opened() {
      attempt = 0;
      options.onState({ kind: 'open' });
    },
  };
}

/** 0.3 s, 0.6 s … 5 s, each a fifth up or down: a thousand tabs must not come back in one instant. */
function growing(attempt: number): number {
  return Math.min(5_000, 300 * 2 ** (attempt - 1)) * (0.8 + Math.random() * 0.4);
}

function browserTimer(ms: number, run: () => void): () => void {
  const id = setTimeout(run, ms);
  return () => clearTimeout(id);
}
