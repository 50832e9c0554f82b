import type { IdempotencyKey } from '@capstan/engine';
import { CapstanError } from '@capstan/model';
import type { KeyRow } from '../sql/idempotency.js';
import { FILL_KEY, READ_KEY, TAKE_KEY } from '../sql/idempotency.js';
import type { Queryable } from '../sql/statement.js';
import { run } from '../sql/statement.js';
import { numberText } from './operation-rows.js';

/** `taken`: the effect is ours to make. Otherwise what the key stands for already. */
export type KeyState =
  | 'taken'
  | 'conflict'
  | { readonly operationId: string; readonly number: string; readonly sequence: number };

/** Takes a key within a transaction; waits for another transaction that holds it. */
export async function takeKey(db: Queryable, key: IdempotencyKey): Promise<KeyState> {
  const taken = await run(db, TAKE_KEY, [key.subject, key.mutation, key.key, key.inputHash]);
  if (taken.rowCount === 1) return 'taken';
  const { rows } = await run<KeyRow>(db, READ_KEY, [key.subject, key.mutation, key.key]);
  const [row] = rows;
  if (!row) throw new CapstanError('key_gone', 'an idempotency key vanished while it was read');
  if (row.input_hash !== key.inputHash) return 'conflict';
  if (row.operation_id === null || row.number === null)
    throw new CapstanError('key_empty', 'an idempotency key without effect');
  return { operationId: row.operation_id, number: numberText(row.number), sequence: row.sequence ?? 0 };
}

/** Writes the effect beside the key, in the same transaction. */
export async function fillKey(
  db: Queryable,
  key: IdempotencyKey,
  operationId: string,
  sequence: number,
): Promise<void> {
  await run(db, FILL_KEY, [key.subject, key.mutation, key.key, operationId, sequence]);
}
