import { randomUUID } from 'node:crypto';
import type { CommitResult, Lease, OperationChange } from '@capstan/engine';
import { CapstanError } from '@capstan/model';
import type pg from 'pg';
import { overLostConnections } from '../lost-connection.js';
import { commitStatement } from '../sql/commit.js';
import type { CommitOutcomeRow } from '../sql/commit-outcome.js';
import { COMMIT_OUTCOME } from '../sql/commit-outcome.js';
import { run } from '../sql/statement.js';

/** The driver's write. Repeated over a lost connection: the row says by id whether the first try stood (C05). */
export async function commitOperation(
  pool: pg.Pool,
  lease: Lease,
  change: OperationChange,
): Promise<CommitResult> {
  if (change.events.length !== change.sequence - change.expectedSequence) {
    throw new CapstanError(
      'sequence_gap',
      `${change.events.length} events from ${change.expectedSequence} to ${change.sequence}`,
    );
  }
  const commitId = randomUUID();
  const { statement, values } = commitStatement(change, commitId, lease);
  for (let tries = 1; ; tries += 1) {
    try {
      const { rowCount } = await overLostConnections(() => run(pool, statement, values));
      if (rowCount === 1) return 'committed';
      break;
    } catch (error) {
      const { code, constraint } = error as pg.DatabaseError;
      // Two operations wrote a version of one artifact: nothing was kept, the next number is free.
      if (constraint === 'artifacts_owner_name_version_key' && tries < 5) continue;
      if (code !== '22012') throw error;
      throw new CapstanError('row_missing', `a node or stage that ${change.operationId} does not have`, {
        cause: error,
      });
    }
  }
  const outcome = await commitOutcome(pool, change.operationId);
  if (outcome?.last_commit === commitId) return 'committed';
  return outcome?.driver === lease.owner && outcome.driver_fence === lease.counter ? 'stale' : 'fenced';
}

/** Who drives an operation and which commit was its last; null when there is no such operation. */
export async function commitOutcome(pool: pg.Pool, operationId: string): Promise<CommitOutcomeRow | null> {
  const { rows } = await overLostConnections(() =>
    run<CommitOutcomeRow>(pool, COMMIT_OUTCOME, [operationId]),
  );
  return rows[0] ?? null;
}
