import type { AttemptState, Reason } from '@capstan/model';
import { Backoff } from './backoff.js';
import type { EngineDependencies, EngineOptions } from './dependencies.js';
import type { AttemptRef, HostConnection, Redaction } from './ports/host-port.js';

/**
 * Tombstone, kill, probe (C10), again and again while the host cannot be asked. True: the host found no process of the
 * attempt. False: it did, or the deadline passed. Null: this worker has to stop, the next one asks again.
 */
export async function cancelAttempt(
  deps: EngineDependencies,
  options: EngineOptions,
  input: {
    readonly operationId: string;
    readonly attempt: AttemptState;
    readonly fence: string;
    readonly signal: AbortSignal;
    readonly waiting: (why: Reason) => void;
    /** Null: the output may hold a secret that nobody can name, so none of it is shown (S10). */
    readonly redaction: Redaction | null;
  },
): Promise<boolean | null> {
  const { attempt } = input;
  const deadline = deps.clock.elapsed() + options.cancelDeadlineMs;
  const backoff = new Backoff(deps.clock, options);
  while (!input.signal.aborted) {
    const host = await deps.inventory.host(attempt.host);
    if (!host || host.secretRoot === null) return false;
    const ref: AttemptRef = {
      attemptId: attempt.id,
      operationId: input.operationId,
      nodeKey: attempt.nodeKey,
      number: attempt.number,
      fence: input.fence,
      runRoot: attempt.runRoot,
      secretRoot: host.secretRoot,
    };
    const result = await deps.hosts.cancel(host, ref, options.cancelGraceMs);
    if (input.signal.aborted) return null;
    if (result.kind === 'gone') {
      await keepLastWords(deps, host, ref, input.redaction);
      return true;
    }
    if (deps.clock.elapsed() >= deadline) return false;
    if (result.kind === 'blocked') input.waiting(result.reason);
    await backoff.wait(input.signal);
  }
  return null;
}

/** What it printed until it was killed. A host that cannot be asked for it now costs the rest of the log, not the cancel. */
async function keepLastWords(
  deps: EngineDependencies,
  host: HostConnection,
  ref: AttemptRef,
  redaction: Redaction | null,
): Promise<void> {
  if (redaction !== null) {
    const offset = await deps.logs.size(ref.attemptId);
    await deps.hosts.readLog(host, ref, offset, redaction, {
      log: async (at, bytes) => {
        await deps.logs.append(ref.attemptId, at, bytes);
      },
    });
  }
  if ((await deps.logs.size(ref.attemptId)) > 0) await deps.logs.complete(ref.attemptId);
}
