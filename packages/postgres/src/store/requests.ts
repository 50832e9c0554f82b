import type { Answered, IdempotencyKey, Requests } from '@capstan/engine';
import type { JsonValue, Outcome } from '@capstan/model';
import { CapstanError, ok } from '@capstan/model';
import type { DataSource, EntityManager } from 'typeorm';
import { together } from '../current-manager.js';
import { overLostConnections } from '../lost-connection.js';
import { READ_ANSWER, TAKE_KEY, WRITE_ANSWER } from '../sql/idempotency.js';
import { jsonText } from '../storable.js';

/** Requests by their key, in the table of those that make operations. */
export function requestStore(source: DataSource): Requests {
  return {
    async once<T extends JsonValue>(key: IdempotencyKey, effect: () => Promise<Outcome<T>>) {
      try {
        return await together(source, (db) => answered(db, key, effect));
      } catch (error) {
        if (error instanceof Refusal) return error.answer as Answered<T>;
        throw error;
      }
    },
    begin: (key) =>
      overLostConnections(async () => {
        if (await take(source.manager, key)) return { kind: 'new' };
        const { hash, answer } = await read(source.manager, key);
        if (hash !== key.inputHash) return { kind: 'conflict' };
        return answer === null ? { kind: 'unfinished' } : { kind: 'ended', answer };
      }),
    end: (key, answer) => overLostConnections(() => write(source.manager, key, answer)),
  };
}

/** Takes the whole transaction back, the key with it: the same request may succeed later. */
class Refusal extends Error {
  constructor(readonly answer: Answered<JsonValue>) {
    super('refused');
  }
}

async function answered<T extends JsonValue>(
  db: EntityManager,
  key: IdempotencyKey,
  effect: () => Promise<Outcome<T>>,
): Promise<Answered<T>> {
  if (!(await take(db, key))) {
    const { hash, answer } = await read(db, key);
    if (hash !== key.inputHash) return { kind: 'conflict' };
    return { kind: 'answered', repeated: true, outcome: ok(answer as T) };
  }
  const outcome = await effect();
  if (!outcome.ok) throw new Refusal({ kind: 'answered', repeated: false, outcome });
  await write(db, key, outcome.value);
  return { kind: 'answered', repeated: false, outcome };
}

async function take(
  db: EntityManager,
  { subject, mutation, key, inputHash }: IdempotencyKey,
): Promise<boolean> {
  const rows = await db.query<unknown[]>(TAKE_KEY.text, [subject, mutation, key, inputHash]);
  return rows.length === 1;
}

async function read(
  db: EntityManager,
  { subject, mutation, key }: IdempotencyKey,
): Promise<{ readonly hash: string; readonly answer: JsonValue }> {
  const [row] = await db.query<{ input_hash: string; result: JsonValue }[]>(READ_ANSWER, [
    subject,
    mutation,
    key,
  ]);
  if (!row) throw new CapstanError('key_gone', 'an idempotency key vanished while it was read');
  return { hash: row.input_hash, answer: row.result };
}

async function write(
  db: EntityManager,
  { subject, mutation, key }: IdempotencyKey,
  answer: JsonValue,
): Promise<void> {
  await db.query(WRITE_ANSWER, [subject, mutation, key, jsonText(answer)]);
}
