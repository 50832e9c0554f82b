/** Sign-in of people: one-time codes and the sessions they are traded for. Both are stored hashed; the clock is the store's. */
export interface Sessions {
  /** Keeps a code that may be traded once, within `ttlMs`; codes and sessions that are over are removed on the way. */
  addCode(code: string, subject: string, ttlMs: number): Promise<void>;
  /** Trades a code for a session with this secret; null when the code is unknown, used or too old. Repeatable. */
  tradeCode(code: string, session: string, lasts: SessionLasts): Promise<{ readonly subject: string } | null>;
  /** Who has this session, which thereby lives on for its idle time; null when it is over or never was. */
  find(session: string): Promise<{ readonly subject: string } | null>;
  /** Ends a session at once; nothing happens when there is none. */
  end(session: string): Promise<void>;
}

/** How long a session lives, ms: without use, and at most. */
export interface SessionLasts {
  readonly idleMs: number;
  readonly totalMs: number;
}
