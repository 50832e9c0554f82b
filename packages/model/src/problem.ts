import type { Text } from './text.js';

/** Where in a document something is wrong. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Stable codes of expected failures. Clients may match on them: a code is never renamed, only added. */
export const PROBLEM_CODES = [
  // documents
  'invalid_yaml',
  'duplicate_key',
  'unknown_key',
  'wrong_type',
  'missing_key',
  'missing_value',
  'invalid_value',
  'document_too_large',
  'unknown_document',
  'no_documents',
  'unknown_reference',
  'missing_file',
  'crlf_in_script',
  'ambiguous_subject',
  'duplicate_id',
  'cycle',
  'invalid_expression',
  'nul_in_parameter',
  'unsafe_number',
  'incomplete',
  // planning
  'unknown_scenario',
  'unknown_host',
  'unknown_resource',
  'unmet_requirement',
  'needs_choice',
  'not_supported',
  'planning_timeout',
  'planning_budget_exceeded',
  'not_isolated',
  'unknown_parameter',
  'invalid_parameter',
  // running
  'operation_running',
  'not_found',
  'illegal_state',
  'stale_revision',
  'idempotency_conflict',
  'not_allowed',
  'host_unreachable',
  'host_key_problem',
  'already_exists',
  'conflict',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** An expected failure, as a value. `expected` says what would have been right; `place` where it stands. */
export interface Problem {
  readonly code: ProblemCode;
  readonly text: Text;
  readonly place?: Place;
  /** Further places of the same problem, e.g. the first spelling of a duplicate key. */
  readonly alsoAt?: readonly Place[];
  readonly expected?: string;
}

/** Either a value or every reason why there is none. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The good outcome. */
export function ok<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

/** The refused outcome. */
export function refused(...problems: readonly Problem[]): {
  readonly ok: false;
  readonly problems: readonly Problem[];
} {
  return { ok: false, problems };
}

/** A bug or lost infrastructure, never an expected outcome. `cause` is always kept. */
export class CapstanError extends Error {
  override readonly name = 'CapstanError';
  constructor(
    readonly code: string,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
