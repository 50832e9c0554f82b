import type { AttemptState, Plan, PlanNode, Reason } from '@capstan/model';
import { canonicalHash, reason } from '@capstan/model';
import type { ArtifactShelf } from './artifact-shelf.js';
import type { Prepared } from './decide.js';
import type { EngineDependencies } from './dependencies.js';
import type { AttemptBundle, AttemptRef, HostConnection } from './ports/host-port.js';
import { bindProgram } from './program.js';

export type PrepareResult =
  | {
      readonly kind: 'prepared';
      readonly prepared: Prepared;
      readonly bundle: AttemptBundle;
      readonly host: HostConnection;
    }
  /** The same input was proved before, or the node only checks: ask the checks instead of running anything. */
  | {
      readonly kind: 'check_first';
      readonly attemptId: string;
      readonly host: HostConnection;
      readonly inputHash: string;
    }
  | { readonly kind: 'waiting'; readonly reason: Reason };

export interface PrepareInput {
  readonly plan: Plan;
  readonly node: PlanNode;
  readonly operationId: string;
  readonly fence: string;
  readonly shelf: ArtifactShelf;
  /** The newest attempt so far: a new one starts only after its host said that it is dead (S6). */
  readonly former: AttemptState | null;
  /** Input hash of the newest proven attempt of this job here; undefined = none, or already asked in vain. */
  readonly proved: string | undefined;
  /** Set when an attempt is taken over: its bundle is made again under its own id. */
  readonly resume: AttemptState | null;
}

/** Everything that is needed before `attempt_starting` can be committed; nothing of the attempt touches a host here (S13). */
export async function prepare(deps: EngineDependencies, input: PrepareInput): Promise<PrepareResult> {
  const { plan, node } = input;
  const job = plan.jobs[node.job ?? ''];
  const found = node.target === null ? null : await deps.inventory.host(node.target);
  if (!job || !found) return waiting(reason('no_host_record', { host: node.target ?? '' }));
  if (!found.isolated && job.sandbox !== 'any' && found.tier === 'sandbox')
    return waiting(reason('not_isolated', { host: found.name }));
  if (job.run === null) {
    const inputHash = canonicalHash('capstan/input/v1', { digest: job.digest, target: node.target });
    return { kind: 'check_first', attemptId: deps.ids.next('att'), host: found, inputHash };
  }
  const host = await enrolled(deps, found);
  if ('reason' in host) return waiting(host.reason);
  if (input.former && input.resume === null) {
    const alive = await formerAlive(deps, host, input, input.former);
    if (alive) return waiting(alive);
  }
  const result = await bindProgram(
    deps,
    plan,
    { spec: job, params: node.params, inputs: node.inputs, target: node.target ?? '' },
    input.shelf,
  );
  if (result.kind === 'blocked') return waiting(result.reason);
  const { program, inputHash, secretValues } = result.bound;
  if (job.skipIfProved && input.proved === inputHash && input.resume === null) {
    return { kind: 'check_first', attemptId: deps.ids.next('att'), host, inputHash };
  }
  const attemptId = input.resume?.id ?? deps.ids.next('att');
  const patterns = node.outputs.flatMap((o) => o.redact);
  const bundle: AttemptBundle = {
    ref: {
      attemptId,
      operationId: input.operationId,
      nodeKey: node.key,
      number: input.resume?.number ?? (input.former?.number ?? 0) + 1,
      fence: input.fence,
      runRoot: host.runRoot,
      secretRoot: host.secretRoot,
    },
    program,
    redaction: { values: [...secretValues, ...(await input.shelf.secretValues())], patterns },
    // S10: a sensitive output without a pattern may print its value, so nothing is shown before the value is known.
    follow: node.outputs.every((o) => !o.sensitive || o.redact.length > 0),
  };
  const prepared: Prepared = {
    attemptId,
    host: host.key,
    runRoot: host.runRoot,
    inputHash,
    bundleHash: canonicalHash('capstan/bundle/v1', [attemptId, inputHash]),
  };
  return { kind: 'prepared', prepared, bundle, host };
}

type EnrolledHost = HostConnection & { readonly runRoot: string; readonly secretRoot: string };

/** The run root is chosen once and kept on the host's record: two paths would be two locks (S5). */
async function enrolled(
  deps: EngineDependencies,
  host: HostConnection,
): Promise<EnrolledHost | { readonly reason: Reason }> {
  if (host.runRoot !== null && host.secretRoot !== null)
    return { ...host, runRoot: host.runRoot, secretRoot: host.secretRoot };
  const answer = await deps.hosts.enrol(host);
  if (answer.kind === 'blocked') return { reason: answer.reason };
  await deps.inventory.updateHost(host.name, { runRoot: answer.runRoot, secretRoot: answer.secretRoot });
  return { ...host, runRoot: answer.runRoot, secretRoot: answer.secretRoot };
}

/** S6: an unreachable host never gets a new attempt, and neither does one on which the former is not known to be over. */
async function formerAlive(
  deps: EngineDependencies,
  host: EnrolledHost,
  input: PrepareInput,
  former: AttemptState,
): Promise<Reason | null> {
  if (former.runRoot === '' || former.end?.kind === 'exited' || former.end?.kind === 'timed_out') return null;
  const ref: AttemptRef = {
    attemptId: former.id,
    operationId: input.operationId,
    nodeKey: former.nodeKey,
    number: former.number,
    fence: input.fence,
    runRoot: former.runRoot,
    secretRoot: host.secretRoot,
  };
  const answer = await deps.hosts.probe(host, ref);
  if (answer.kind === 'blocked') return answer.reason;
  return answer.kind === 'running' || answer.kind === 'orphaned'
    ? reason('predecessor_alive', { attempt: former.number })
    : null;
}

function waiting(why: Reason): PrepareResult {
  return { kind: 'waiting', reason: why };
}
