/** What the process ends with. */
export const EXIT = {
  /** Succeeded; without `--wait`: accepted. */
  ok: 0,
  /** Ended failed or cancelled, or the server was not reached. */
  failed: 1,
  /** Refused before anything ran. */
  refused: 2,
  /** A person must act or choose. */
  attention: 3,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
