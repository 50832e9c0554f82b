import { EXIT, type ExitCode } from './exit-code.js';

export interface ApiReason {
  readonly code: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface ApiNodeRun {
  readonly key: string;
  readonly status: string;
  readonly reason: ApiReason | null;
}

/** What to select of a reason. */
export const REASON = 'reason { code args text }';

/** A reason as one plain string: its code, and where it has details, the words after a colon. */
export function reasonString(reason: ApiReason | null): string | null {
  if (reason === null) return null;
  return Object.keys(reason.args).length === 0 ? reason.code : `${reason.code}: ${reason.text}`;
}

export interface NodeOfOperation {
  readonly key: string;
  readonly status: string;
  readonly reason: string | null;
}

/** What `apply --json` prints. */
export interface AppliedDocument {
  readonly operation: string;
  readonly status: string;
  readonly nodes: readonly NodeOfOperation[];
}

export function appliedDocument(operation: {
  readonly number: string;
  readonly status: string;
  readonly nodeRuns: readonly ApiNodeRun[];
}): AppliedDocument {
  return {
    operation: operation.number,
    status: operation.status,
    nodes: operation.nodeRuns.map(({ key, status, reason }) => ({
      key,
      status,
      reason: reasonString(reason),
    })),
  };
}

/** Null while the operation can still go on by itself. */
export function exitOf(status: string): ExitCode | null {
  switch (status) {
    case 'succeeded':
    case 'succeeded_with_waivers':
      return EXIT.ok;
    case 'failed':
    case 'cancelled':
      return EXIT.failed;
    case 'needs_attention':
      return EXIT.attention;
    default:
      return null;
  }
}

const SIGNS: Readonly<Record<string, string>> = {
  succeeded: '✓',
  failed: '✗',
  unproven: '✗',
  unknown: '?',
  cancelled: '–',
  skipped: '–',
  superseded: '–',
  running: '▸',
  verifying: '▸',
};

/** One character for a node's status. */
export function signOf(status: string): string {
  return SIGNS[status] ?? '·';
}

/** What a person can do about a stopped node, by the reason's code. */
export function wayOn(number: string, node: string, reason: ApiReason | null): string {
  switch (reason?.code) {
    case 'host_key_changed':
    case 'host_key_unknown':
      return `if the key is right: capstan host accept-key <host> ${String(reason.args.offered ?? '<fingerprint>')}; it then goes on by itself`;
    case 'unreachable':
    case 'disconnected':
      return 'it goes on by itself when the host answers';
    case 'disk_full':
    case 'no_sudo':
    case 'auth_failed':
    case 'needs_input':
      return `put that right on the host, then: capstan retry ${number} ${node}`;
    case 'not_isolated':
      return 'use a host of your own, or a machine with user namespaces';
    default:
      return `look: capstan logs ${number} ${node}; then: capstan retry ${number} ${node}, or capstan cancel ${number}`;
  }
}
