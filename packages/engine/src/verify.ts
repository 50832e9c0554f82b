import type { Check, Evidence, JsonValue, Plan, PlannedCheck, Reason } from '@capstan/model';
import { CapstanError, maskAll } from '@capstan/model';
import type { ArtifactShelf } from './artifact-shelf.js';
import { Backoff } from './backoff.js';
import { currentHost } from './current-host.js';
import type { EngineDependencies, EngineOptions } from './dependencies.js';
import type { CheckAnswer, HostConnection, Redaction } from './ports/host-port.js';
import type { BoundProgram } from './program.js';
import { bindProgram } from './program.js';

/** Observed text is cut to this in stored evidence; the hash covers all of it. */
const OBSERVED_LIMIT = 4096;

interface Pending {
  readonly planned: PlannedCheck;
  readonly spec: Check;
  readonly host: HostConnection;
  bound: BoundProgram | null;
  holdsSince: number | null;
}

export interface VerifyInput {
  readonly plan: Plan;
  readonly checks: readonly PlannedCheck[];
  readonly shelf: ArtifactShelf;
  readonly nodeKey: string | null;
  readonly attemptId: string | null;
  readonly signal: AbortSignal;
  /** One round and no patience: is it true now? */
  readonly once?: boolean;
  /** Why it cannot be asked at the moment; null when it can again. */
  readonly waiting: (why: Reason | null) => void;
}

/**
 * Asks every check until it is confirmed or its `retry_for` is over; `stable_for` must hold without a break (S4). Time in
 * which a host could not be reached does not count: cannot ask is not a no. Returns null when the signal ended it.
 */
export async function verify(
  deps: EngineDependencies,
  options: EngineOptions,
  input: VerifyInput,
): Promise<readonly Evidence[] | null> {
  const evidence: Evidence[] = [];
  let open = await pendingChecks(deps, input);
  let asked = 0;
  const backoff = new Backoff(deps.clock, options);
  while (open.length > 0) {
    if (input.signal.aborted) return null;
    const started = deps.clock.elapsed();
    const round = await askRound(deps, input, open);
    if (input.signal.aborted) return null;
    if ('blocked' in round) {
      input.waiting(round.blocked);
      await backoff.wait(input.signal);
      continue;
    }
    input.waiting(null);
    backoff.reset();
    const next: Pending[] = [];
    for (const item of open) {
      const seen = await weigh(deps, input, item, round.answers);
      if (input.once === true || settles(item, seen.verdict === 'confirmed', started, asked))
        evidence.push(seen);
      else next.push(item);
    }
    open = next;
    if (open.length === 0) break;
    await deps.clock.sleep(
      Math.min(options.checkIntervalMs, ...open.map((p) => p.spec.stableForMs || options.checkIntervalMs)),
      input.signal,
    );
    asked += deps.clock.elapsed() - started;
  }
  return evidence;
}

/** Whether this answer is the last word: a yes that needs no stability or has held long enough, or a no past its time. */
function settles(item: Pending, yes: boolean, now: number, asked: number): boolean {
  if (!yes) {
    item.holdsSince = null;
    return asked >= item.spec.retryForMs + item.spec.stableForMs;
  }
  item.holdsSince ??= now;
  return now - item.holdsSince >= item.spec.stableForMs;
}

async function pendingChecks(deps: EngineDependencies, input: VerifyInput): Promise<Pending[]> {
  const out: Pending[] = [];
  for (const planned of input.checks) {
    const spec = input.plan.checks[planned.check];
    if (!spec) throw new CapstanError('unknown_check', `the plan has no check ${planned.check}`);
    const host = await deps.inventory.host(planned.from);
    if (!host) throw new CapstanError('unknown_host', `no host ${planned.from} for check ${planned.check}`);
    out.push({ planned, spec, host, bound: null, holdsSince: null });
  }
  return out;
}

async function askRound(
  deps: EngineDependencies,
  input: VerifyInput,
  open: readonly Pending[],
): Promise<{ readonly answers: ReadonlyMap<string, CheckAnswer> } | { readonly blocked: Reason }> {
  const answers = new Map<string, CheckAnswer>();
  const byHost = new Map<string, Pending[]>();
  for (const item of open) {
    if (!item.bound) {
      const result = await bindProgram(
        deps,
        input.plan,
        {
          spec: item.spec,
          params: item.planned.params,
          inputs: item.planned.inputs,
          target: item.planned.from,
        },
        input.shelf,
      );
      if (result.kind === 'blocked') return { blocked: result.reason };
      item.bound = result.bound;
    }
    byHost.set(item.host.name, [...(byHost.get(item.host.name) ?? []), item]);
  }
  const results = await Promise.all(
    [...byHost.values()].map(async (items) =>
      deps.hosts.check(
        await currentHost(deps, items[0]?.host as HostConnection),
        items.map((i) => ({ id: callId(i.planned), program: (i.bound as BoundProgram).program })),
        input.signal,
      ),
    ),
  );
  for (const result of results) {
    if (result.kind === 'blocked') return { blocked: result.reason };
    for (const answer of result.answers) answers.set(answer.id, answer);
  }
  return { answers };
}

async function weigh(
  deps: EngineDependencies,
  input: VerifyInput,
  item: Pending,
  answers: ReadonlyMap<string, CheckAnswer>,
): Promise<Evidence> {
  const answer = answers.get(callId(item.planned));
  const at = deps.clock.now();
  const base = {
    id: deps.ids.next('ev'),
    check: item.planned.check,
    checkDigest: item.spec.digest,
    subject: item.planned.subject,
    from: item.host.key,
    nodeKey: input.nodeKey,
    attemptId: input.attemptId,
    expected: item.spec.expect,
    provenance: item.host.provenance,
    at,
    freshUntil:
      item.spec.freshForMs === null ? null : new Date(Date.parse(at) + item.spec.freshForMs).toISOString(),
    startedAfter: 0,
  };
  if (!answer)
    return {
      ...base,
      observed: 'the host gave no answer',
      attributes: {},
      rawHash: '',
      verdict: 'not_observed',
    };
  const redaction: Redaction = {
    values: [...(item.bound?.secretValues ?? []), ...(await input.shelf.secretValues())],
    patterns: [],
  };
  const stdout = text(maskAll(answer.stdout, redaction));
  const stderr = text(maskAll(answer.stderr, redaction));
  const values: Record<string, JsonValue> = {
    exit_code: answer.exitCode,
    stdout,
    stderr,
    json: parsed(stdout),
  };
  const expected = answer.timedOut ? null : deps.expressions.evaluate(item.spec.expect, values);
  const attributes: Record<string, JsonValue> = {};
  let gap = '';
  if (expected?.ok === true && expected.value === true) {
    for (const [name, source] of Object.entries(item.spec.observes)) {
      const seen = deps.expressions.evaluate(source, values);
      if (seen.ok) attributes[name] = seen.value;
      else gap = `\nattribute ${name}: ${seen.error}`;
    }
  } else if (expected?.ok === false) gap = `\nexpectation: ${expected.error}`;
  const said = [stdout.trimEnd(), stderr.trimEnd()].filter((s) => s !== '').join('\n');
  const observed = `${answer.timedOut ? `no answer within ${item.spec.timeoutMs} ms` : `exit code ${answer.exitCode}`}${said === '' ? '' : `\n${said}`}${gap}`;
  return {
    ...base,
    attributes,
    observed: observed.slice(0, OBSERVED_LIMIT),
    rawHash: answer.rawHash,
    verdict: expected?.ok === true && expected.value === true && gap === '' ? 'confirmed' : 'refuted',
  };
}

function callId(check: PlannedCheck): string {
  return `${check.check}|${check.subject}`;
}

const UTF8 = new TextDecoder('utf-8', { fatal: false });

function text(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}

function parsed(stdout: string): JsonValue {
  // Most checks print nothing: an exception for each would cost more than all the rest of weighing it.
  if (stdout === '') return null;
  try {
    return JSON.parse(stdout) as JsonValue;
  } catch {
    // Most checks print no JSON; `json` is then null, which `expect` may test.
    return null;
  }
}
