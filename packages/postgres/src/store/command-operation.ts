import { randomUUID } from 'node:crypto';
import type { CommandResult, IdempotencyKey, OperationStore } from '@capstan/engine';
import { CapstanError } from '@capstan/model';
import type pg from 'pg';
import { TELL_WATCHERS } from '../feed.js';
import { isLostConnection, overLostConnections } from '../lost-connection.js';
import { commitStatement } from '../sql/commit.js';
import type { OperationRow } from '../sql/load-operation.js';
import { LOCK_OPERATION } from '../sql/load-operation.js';
import { run } from '../sql/statement.js';
import { TELL_CHANGED, WAKE } from '../sql/wake.js';
import type { Ending } from '../transaction.js';
import { transaction } from '../transaction.js';
import { commitOutcome } from './commit-operation.js';
import { fillKey, takeKey } from './idempotency-key.js';
import { readOperation, refArguments } from './operation-rows.js';

type Decide = Parameters<OperationStore['command']>[2];

/** A person's write: under the row's lock, decided once, told to the driver or to the queue in the same transaction. */
export async function commandOperation(
  pool: pg.Pool,
  ref: string,
  idempotency: IdempotencyKey | null,
  decide: Decide,
): Promise<CommandResult> {
  const commitId = randomUUID();
  let decided: { operationId: string; sequence: number } | null = null;
  try {
    return await overLostConnections(() => {
      if (decided) throw new CapstanError('outcome_unknown', 'the connection broke after the decision');
      return transaction(pool, (client) =>
        write(client, { ref, idempotency, commitId, decide, decided: (d) => (decided = d) }),
      );
    });
  } catch (error) {
    // The decision may not be made twice, so what became of it is read.
    const made = decided as { operationId: string; sequence: number } | null;
    const lost =
      isLostConnection(error) || (error instanceof CapstanError && error.code === 'outcome_unknown');
    if (!made || !lost) throw error;
    const outcome = await commitOutcome(pool, made.operationId);
    if (outcome?.last_commit === commitId) return { kind: 'done', sequence: made.sequence, repeated: false };
    throw error;
  }
}

interface Command {
  readonly ref: string;
  readonly idempotency: IdempotencyKey | null;
  readonly commitId: string;
  readonly decide: Decide;
  decided(change: { operationId: string; sequence: number }): void;
}

async function write(client: pg.PoolClient, command: Command): Promise<Ending<CommandResult>> {
  const { ref, idempotency, commitId } = command;
  const { rows } = await run<OperationRow>(client, LOCK_OPERATION, refArguments(ref));
  const [row] = rows;
  if (!row) return { keep: false, value: { kind: 'not_found' } };
  if (idempotency) {
    const key = await takeKey(client, idempotency);
    if (key === 'conflict') return { keep: false, value: { kind: 'idempotency_conflict' } };
    if (key !== 'taken')
      return { keep: false, value: { kind: 'done', sequence: key.sequence, repeated: true } };
  }
  const stored = await readOperation(client, row);
  const decision = command.decide(stored);
  if (decision.kind === 'refused') return { keep: false, value: decision };
  const { change } = decision;
  command.decided(change);
  const { statement, values } = commitStatement(change, commitId, null);
  const written = await run(client, statement, values);
  if (written.rowCount !== 1)
    throw new CapstanError('stale_decision', `a command decided on a sequence that ${row.id} does not have`);
  if (idempotency) await fillKey(client, idempotency, row.id, change.sequence);
  await run(client, row.driven ? TELL_CHANGED : WAKE, [row.id]);
  await run(client, TELL_WATCHERS, [row.id, change.sequence]);
  return { keep: true, value: { kind: 'done', sequence: change.sequence, repeated: false } };
}
