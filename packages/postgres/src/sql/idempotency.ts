import type { Statement } from './statement.js';

/** Takes a key for this transaction; no row when it is in use. $1 subject, $2 mutation, $3 key, $4 input hash. */
export const TAKE_KEY: Statement = {
  name: 'take_key',
  text: `insert into idempotency (subject, mutation, key, input_hash) values ($1, $2, $3, $4)
    on conflict (subject, mutation, key) do update set input_hash = excluded.input_hash, at = now(), operation_id = null, sequence = null, result = null
      where idempotency.at < now() - interval '24 hours'
    returning true`,
};

/** What a key in use stands for. $1 subject, $2 mutation, $3 key. */
export const READ_KEY: Statement = {
  name: 'read_key',
  text: `select i.input_hash, i.operation_id, i.sequence, o.number from idempotency i left join operations o on o.id = i.operation_id
    where i.subject = $1 and i.mutation = $2 and i.key = $3`,
};

/** The effect, in the same transaction. $4 operation, $5 sequence. Old keys go away here, a few at a time. */
export const FILL_KEY: Statement = {
  name: 'fill_key',
  text: `with old as (delete from idempotency where ctid = any (array(
      select ctid from idempotency where at < now() - interval '25 hours' order by at limit 20 for update skip locked)))
    update idempotency set operation_id = $4, sequence = $5 where subject = $1 and mutation = $2 and key = $3`,
};

/** What is kept beside a key whose effect is no operation. $1 subject, $2 mutation, $3 key. */
export const READ_ANSWER = `select input_hash, result from idempotency where subject = $1 and mutation = $2 and key = $3`;

/** $1 subject, $2 mutation, $3 key, $4 answer. */
export const WRITE_ANSWER = `update idempotency set result = $4 where subject = $1 and mutation = $2 and key = $3`;

export interface KeyRow {
  readonly input_hash: string;
  readonly operation_id: string | null;
  readonly sequence: number | null;
  readonly number: number | null;
}
