import type { Actor, Outcome } from '@capstan/model';
import { canonicalHash, refused, text } from '@capstan/model';
import type { IdempotencyKey } from './ports/operation-store.js';

/** The key of a request: unique per who asks and what for; another input under it is another request. */
export function requestKey(actor: Actor, mutation: string, key: string, input: unknown): IdempotencyKey {
  return {
    subject: `${actor.kind}:${actor.id}`,
    mutation,
    key,
    inputHash: canonicalHash('capstan/idempotency/v1', input),
  };
}

/** The refusal of a key that was used for something else. */
export function keyConflict(key: string): Outcome<never> {
  return refused({ code: 'idempotency_conflict', text: text('idempotency.conflict', { key }) });
}
