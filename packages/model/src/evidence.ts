import type { Reason } from './reason.js';
import { reason } from './reason.js';
import type { Provenance } from './resource.js';
import type { JsonValue } from './text.js';

export type Verdict = 'confirmed' | 'refuted' | 'not_observed';

/** A recorded check: what was asked, expected, observed, on which host, when, hash of the raw output, verdict. */
export interface Evidence {
  readonly id: string;
  /** Qualified check id. */
  readonly check: string;
  readonly checkDigest: string;
  /** Whose fact it speaks about. */
  readonly subject: string;
  /** Host on which it ran. */
  readonly from: string;
  readonly nodeKey: string | null;
  readonly attemptId: string | null;
  readonly expected: string;
  /** What was observed, masked and cut to 4 KiB; the raw bytes are only hashed. */
  readonly observed: string;
  readonly attributes: Readonly<Record<string, JsonValue>>;
  readonly rawHash: string;
  readonly verdict: Verdict;
  readonly provenance: Provenance;
  /** Start of the decisive run of the check, by the worker's clock: for people. */
  readonly at: string;
  readonly freshUntil: string | null;
  /**
   * Sequence of the event after which the check was started. L1 is judged by this order and never by clocks: it must
   * not be lower than the sequence of the event that recorded the attempt's end (S4).
   */
  readonly startedAfter: number;
}

/** How an attempt's run is known to be over. */
export type RunEnd =
  | { readonly kind: 'exited'; readonly code: number }
  /** The host said that nothing of it is alive, but how it ended is lost. */
  | { readonly kind: 'dead'; readonly why: 'supervisor_died' | 'host_restarted' | 'run_folder_lost' }
  | { readonly kind: 'timed_out' }
  /** Nothing ran: the checks alone decide. */
  | { readonly kind: 'not_run' };

export interface Judgement {
  readonly status: 'succeeded' | 'failed' | 'unproven' | 'unknown';
  readonly reason: Reason | null;
}

/**
 * L1: success is every declared output confirmed by evidence that started after the end of the attempt was recorded.
 * Exit 0 without proof is `unproven`; exit ≠ 0 with full proof is `unproven` + `proved_but_failed`, a question to a
 * person; a lost end is recovered by evidence or stays `unknown`.
 */
export function judge(input: {
  readonly end: RunEnd;
  readonly endedSequence: number;
  /** Every check that the job's outputs need, each on its subject: one host's yes proves nothing of another. */
  readonly required: readonly Asked[];
  readonly evidence: readonly Pick<Evidence, 'check' | 'subject' | 'verdict' | 'startedAfter' | 'observed'>[];
  readonly missingOutputs: readonly string[];
}): Judgement {
  const counted = input.evidence.filter((e) => e.startedAfter >= input.endedSequence);
  const confirmed = new Set(counted.filter((e) => e.verdict === 'confirmed').map(nameOf));
  const open = input.required.filter((asked) => !confirmed.has(nameOf(asked)));
  const proved = open.length === 0 && input.missingOutputs.length === 0;
  const gap = (): Reason =>
    open.length > 0
      ? reason('evidence_failed', {
          checks: open.map((asked) => asked.check).join(', '),
          observed: observedOf(counted, open[0]),
        })
      : reason('missing_output', { artifacts: input.missingOutputs.join(', ') });
  switch (input.end.kind) {
    case 'exited':
      if (input.end.code === 0)
        return proved ? { status: 'succeeded', reason: null } : { status: 'unproven', reason: gap() };
      // A job that declares no output has no proof that could contradict its exit code.
      return proved && input.required.length > 0
        ? { status: 'unproven', reason: reason('proved_but_failed', { exitCode: input.end.code }) }
        : { status: 'failed', reason: reason('exit_code', { exitCode: input.end.code }) };
    case 'timed_out':
      return proved && input.required.length > 0
        ? { status: 'unproven', reason: reason('proved_but_failed', { exitCode: 'timeout' }) }
        : { status: 'failed', reason: reason('timed_out') };
    case 'dead':
      return proved && input.required.length > 0
        ? { status: 'succeeded', reason: reason('recovered_by_evidence', { lost: input.end.why }) }
        : { status: 'unknown', reason: reason(input.end.why) };
    case 'not_run':
      return proved
        ? { status: 'succeeded', reason: reason('already_satisfied') }
        : { status: 'unproven', reason: gap() };
  }
}

type Asked = Pick<Evidence, 'check' | 'subject'>;

function nameOf(asked: Asked): string {
  return `${asked.check}|${asked.subject}`;
}

function observedOf(
  evidence: readonly Pick<Evidence, 'check' | 'subject' | 'observed'>[],
  asked: Asked | undefined,
): string {
  const last = evidence.filter((e) => asked !== undefined && nameOf(e) === nameOf(asked)).at(-1);
  return (last?.observed ?? 'nothing').slice(0, 300);
}
