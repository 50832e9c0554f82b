/** Bounds of the live protocol. Times in ms. */
export interface LiveOptions {
  /** At most one read of an operation, and so one frame, in this time. */
  readonly coalesceMs: number;
  /** An empty frame after so long without another one. */
  readonly heartbeatMs: number;
  readonly eventsPerFrame: number;
  /** Who is further behind gets everything anew instead of every event. */
  readonly eventsBehind: number;
  /** Events in a frame that carries everything. */
  readonly eventsOfReset: number;
  /** Newest events that a feed keeps for whoever comes back. */
  readonly eventsHeld: number;
  /** How long a feed stays after its last watcher: most come back at once. */
  readonly lingerMs: number;
  /** How long a decision on rights is believed. */
  readonly rightsMs: number;
  /** How often a growing log is looked at; a quiet one up to five times less often. */
  readonly logPollMs: number;
  readonly logFrameBytes: number;
}

export const LIVE_OPTIONS: LiveOptions = {
  coalesceMs: 100,
  heartbeatMs: 5_000,
  eventsPerFrame: 500,
  eventsBehind: 5_000,
  eventsOfReset: 50,
  eventsHeld: 1_000,
  lingerMs: 10_000,
  rightsMs: 5_000,
  logPollMs: 200,
  logFrameBytes: 64 * 1024,
};
