/** Why something has the status it has: few, fixed, for machines; the words for people are in `render.ts`. */
export const REASON_CODES = [
  // an attempt or a node ended
  'exit_code',
  'timed_out',
  'evidence_failed',
  'proved_but_failed',
  'missing_output',
  'already_satisfied',
  'recovered_by_evidence',
  'supervisor_died',
  'host_restarted',
  'run_folder_lost',
  'orphaned',
  'cancelled_by_person',
  'cancel_unconfirmed',
  'provides_unproven',
  'retrying',
  'retry_requested',
  'not_idempotent',
  // something waits
  'unreachable',
  'disconnected',
  'host_key_changed',
  'host_key_unknown',
  'auth_failed',
  'no_sudo',
  'needs_input',
  'disk_full',
  'host_busy',
  'not_isolated',
  'capacity',
  'needs_version',
  'predecessor_alive',
  // an operation
  'node_failed',
  'verifying_provides',
  'no_host_record',
  'input_missing',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/** A reason with what a person needs to act: numbers, paths, both fingerprints. Never a secret. */
export interface Reason {
  readonly code: ReasonCode;
  readonly args: Readonly<Record<string, string | number>>;
}

/** Makes a {@link Reason}. */
export function reason(code: ReasonCode, args: Record<string, string | number> = {}): Reason {
  return { code, args };
}
