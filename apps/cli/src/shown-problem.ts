import { type Problem, renderText } from '@capstan/model';
import { EXIT, type ExitCode } from './exit-code.js';

/** A problem as `--json` prints it: texts are plain strings, what is unknown is null. */
export interface ShownProblem {
  readonly code: string;
  readonly text: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly expected: string | null;
}

/** Why a command did nothing, and the code that it ends with. */
export interface Failure {
  readonly exit: ExitCode;
  readonly problems: readonly ShownProblem[];
}

/** Problems of the CLI's own; the rest are the product's. */
type OwnCode =
  | 'usage'
  | 'confirmation_needed'
  | 'declined'
  | 'server_not_reached'
  | 'unauthenticated'
  | 'server_error'
  | 'migration_failed'
  | 'file_not_readable'
  | 'reveal_needed';

export function showProblem(problem: Problem): ShownProblem {
  return {
    code: problem.code,
    text: renderText(problem.text),
    file: problem.place?.file ?? null,
    line: problem.place?.line ?? null,
    column: problem.place?.column ?? null,
    expected: problem.expected ?? null,
  };
}

/** A choice is a person's to make; everything else that was refused is refused. */
export function refusal(problems: readonly ShownProblem[]): Failure {
  const choice = problems.length > 0 && problems.every((problem) => problem.code === 'needs_choice');
  return { exit: choice ? EXIT.attention : EXIT.refused, problems };
}

export function ownProblem(
  code: OwnCode,
  text: string,
  expected: string | null = null,
  file: string | null = null,
): ShownProblem {
  return { code, text, file, line: null, column: null, expected };
}

export function failure(
  exit: ExitCode,
  code: OwnCode,
  text: string,
  expected: string | null = null,
): Failure {
  return { exit, problems: [ownProblem(code, text, expected)] };
}

/** `file:line:column text (expected: …)`, for stderr. */
export function problemLine(problem: ShownProblem): string {
  const { file, line, column, text, expected } = problem;
  const place = [file, line, column].filter((part) => part !== null).join(':');
  return `${place === '' ? '' : `${place} `}${text}${expected === null ? '' : ` (expected: ${expected})`}`;
}

/** Places of a document that was sent over the API get the name of the file that it was read from. */
export function inFile(problems: readonly ShownProblem[], file: string): readonly ShownProblem[] {
  return problems.map((problem) => (problem.line === null ? problem : { ...problem, file }));
}

export function noOperation(ref: string): Failure {
  return {
    exit: EXIT.refused,
    problems: [{ ...ownProblem('usage', `there is no operation ${ref}`), code: 'not_found' }],
  };
}
