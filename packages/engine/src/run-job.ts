import type { AttemptState, Plan, PlanNode, PlannedOutput, Reason, RunEnd } from '@capstan/model';
import { artifactLimit, maskAll, reason } from '@capstan/model';
import type { ArtifactShelf } from './artifact-shelf.js';
import { Backoff } from './backoff.js';
import { currentHost } from './current-host.js';
import type { Input } from './decide.js';
import type { EngineDependencies, EngineOptions } from './dependencies.js';
import { lastWords } from './last-words.js';
import type { AttemptBundle, HostConnection, RunResult } from './ports/host-port.js';
import type { ArtifactWrite } from './ports/operation-store.js';
import { verify } from './verify.js';

export interface RunJobInput {
  readonly plan: Plan;
  readonly node: PlanNode;
  readonly attempt: AttemptState;
  readonly inputHash: string;
  readonly host: HostConnection;
  readonly bundle: AttemptBundle;
  readonly shelf: ArtifactShelf;
  /** True when this worker has just committed the start: nothing can be stored of its output yet. */
  readonly fresh: boolean;
  readonly signal: AbortSignal;
  /** `lazy` inputs ride with the next commit, or get one of their own soon (S4). */
  readonly post: (input: Input, urgency: 'now' | 'lazy') => void;
}

/**
 * One attempt from its committed start to its evidence: start or re-attach, follow the output, record the end, fetch the
 * outputs, ask the checks. It never decides; it reports. Whatever cuts it off is repeated by the next run of it.
 */
export async function runJob(
  deps: EngineDependencies,
  options: EngineOptions,
  input: RunJobInput,
): Promise<void> {
  const output: Output = { printed: !input.fresh };
  const end = input.attempt.end ?? (await follow(deps, options, input, output));
  if (end === null || input.signal.aborted) return;
  input.post({ kind: 'ended', nodeKey: input.node.key, attemptId: input.attempt.id, end }, 'lazy');
  const collected = await collect(deps, options, input, end);
  if (collected === null) return;
  await settleLog(deps, options, input, collected.secrets, output);
  for (const artifact of collected.outputs) input.shelf.add(artifact);
  const evidence = await verify(deps, options, {
    plan: input.plan,
    checks: input.node.checks,
    shelf: input.shelf,
    nodeKey: input.node.key,
    attemptId: input.attempt.id,
    signal: input.signal,
    waiting: (why) => postWaiting(input, why),
  });
  if (evidence === null || input.signal.aborted) return;
  input.post(
    {
      kind: 'verified',
      nodeKey: input.node.key,
      attemptId: input.attempt.id,
      inputHash: input.inputHash,
      evidence,
      outputs: collected.outputs,
      missing: collected.missing,
      said: end.kind === 'exited' && end.code === 0 ? '' : await lastWords(deps, input.attempt.id),
    },
    'now',
  );
}

/** Whether anything may be stored of the output: an attempt that printed nothing needs no row, and no write. */
interface Output {
  printed: boolean;
}

/** Starts or attaches until the host says that it is over; null when this worker has to stop. */
async function follow(
  deps: EngineDependencies,
  options: EngineOptions,
  input: RunJobInput,
  output: Output,
): Promise<RunEnd | null> {
  const backoff = new Backoff(deps.clock, options);
  let started = input.attempt.incarnation !== null;
  for (let first = input.fresh; !input.signal.aborted; first = false) {
    const host = await currentHost(deps, input.host);
    if (started && (await isForgotten(deps, host, input))) return { kind: 'dead', why: 'run_folder_lost' };
    const offset = first ? 0 : await deps.logs.size(input.attempt.id);
    const result = await deps.hosts.run(
      host,
      input.bundle,
      offset,
      {
        started: ({ incarnation }) => {
          started = true;
          backoff.reset();
          input.post(
            { kind: 'started', nodeKey: input.node.key, attemptId: input.attempt.id, incarnation },
            'lazy',
          );
        },
        log: async (at, bytes) => {
          output.printed = true;
          await deps.logs.append(input.attempt.id, at, bytes);
        },
      },
      input.signal,
    );
    if (input.signal.aborted) return null;
    const over = endOf(result);
    if (over !== null) return over;
    const why = blockOf(result);
    if (why !== null)
      input.post(
        { kind: 'blocked', nodeKey: input.node.key, attemptId: input.attempt.id, reason: why },
        'now',
      );
    await backoff.wait(input.signal);
  }
  return null;
}

/** L6: a host that lost its journal would start the attempt again; what the database knows as started never may be. */
async function isForgotten(
  deps: EngineDependencies,
  host: HostConnection,
  input: RunJobInput,
): Promise<boolean> {
  return (await deps.hosts.probe(host, input.bundle.ref)).kind === 'never_started';
}

function endOf(result: RunResult): RunEnd | null {
  if (result.kind === 'exited') return { kind: 'exited', code: result.code };
  if (result.kind === 'timed_out') return { kind: 'timed_out' };
  // A tombstone without a cancel of ours: it never ran here, so the evidence decides.
  if (result.kind === 'refused' && result.why === 'cancelled')
    return { kind: 'dead', why: 'run_folder_lost' };
  return result.kind === 'dead' ? { kind: 'dead', why: result.why } : null;
}

/** Why it goes on waiting; null: a newer driver owns the attempt, this one will hear so from its lease. */
function blockOf(result: RunResult): Reason | null {
  switch (result.kind) {
    case 'link_lost':
    case 'blocked':
      return result.reason;
    case 'orphaned':
      return reason('orphaned', { alive: result.alive });
    case 'refused':
      return result.why === 'predecessor_alive' ? reason('predecessor_alive') : null;
    default:
      return null;
  }
}

interface Collected {
  readonly outputs: readonly ArtifactWrite[];
  readonly missing: readonly string[];
  readonly secrets: readonly Uint8Array[];
}

async function collect(
  deps: EngineDependencies,
  options: EngineOptions,
  input: RunJobInput,
  end: RunEnd,
): Promise<Collected | null> {
  const wanted = input.node.outputs;
  // What was never run to its end left nothing that may be trusted as an output.
  if (wanted.length === 0 || (end.kind !== 'exited' && end.kind !== 'dead'))
    return { outputs: [], missing: wanted.map((w) => w.name), secrets: [] };
  const backoff = new Backoff(deps.clock, options);
  while (!input.signal.aborted) {
    const result = await deps.hosts.collect(
      await currentHost(deps, input.host),
      input.bundle.ref,
      wanted.map((w) => ({ name: w.name, limit: artifactLimit(w.kind) })),
    );
    if (result.kind === 'blocked') {
      postWaiting(input, result.reason);
      await backoff.wait(input.signal);
      continue;
    }
    const outputs: ArtifactWrite[] = [];
    const secrets: Uint8Array[] = [];
    for (const file of result.files) {
      const spec = wanted.find((w) => w.name === file.name) as PlannedOutput;
      if (spec.sensitive) secrets.push(file.bytes);
      outputs.push(
        await input.shelf.store(input.plan.environment, spec, file.bytes, {
          nodeKey: input.node.key,
          attemptId: input.attempt.id,
          ttlMs: expiresIn(result.meta[file.name]),
        }),
      );
    }
    return { outputs, missing: result.missing.map((m) => `${m.name} (${m.why})`), secrets };
  }
  return null;
}

/** After the end the stored log is whole and holds none of the secrets that the job made (S10, I4). */
async function settleLog(
  deps: EngineDependencies,
  options: EngineOptions,
  input: RunJobInput,
  secrets: readonly Uint8Array[],
  output: Output,
): Promise<void> {
  const redaction = { ...input.bundle.redaction, values: [...input.bundle.redaction.values, ...secrets] };
  if (!input.bundle.follow) {
    const backoff = new Backoff(deps.clock, options);
    while (!input.signal.aborted) {
      const offset = await deps.logs.size(input.attempt.id);
      const read = await deps.hosts.readLog(
        await currentHost(deps, input.host),
        input.bundle.ref,
        offset,
        redaction,
        {
          log: async (at, bytes) => {
            output.printed = true;
            await deps.logs.append(input.attempt.id, at, bytes);
          },
        },
      );
      if (read.kind === 'read') break;
      postWaiting(input, read.reason);
      await backoff.wait(input.signal);
    }
  } else if (secrets.length > 0) {
    await deps.logs.mask(input.attempt.id, (bytes) => maskAll(bytes, { values: secrets, patterns: [] }));
  }
  if (!input.signal.aborted && output.printed) await deps.logs.complete(input.attempt.id);
}

/** `expires_in` of a job's `<name>.meta.json`; what is not a duration there is ignored, the declared ttl then counts. */
function expiresIn(meta: Uint8Array | undefined): number | null {
  const stated =
    meta === undefined
      ? null
      : /^\s*\{[^{}]*"expires_in"\s*:\s*"(\d+)(s|m|h|d)"/.exec(new TextDecoder().decode(meta));
  if (!stated) return null;
  const unit = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[stated[2] as 's' | 'm' | 'h' | 'd'];
  return Number(stated[1]) * unit;
}

function postWaiting(input: RunJobInput, why: Reason | null): void {
  input.post({ kind: 'waiting', nodeKey: input.node.key, reason: why }, why === null ? 'lazy' : 'now');
}
