import type { JsonValue, Outcome } from '@capstan/model';
import type { IdempotencyKey } from './operation-store.js';

export type Answered<T> =
  | { readonly kind: 'answered'; readonly repeated: boolean; readonly outcome: Outcome<T> }
  | { readonly kind: 'conflict' };

/** What a key that may have been used stands for. `unfinished`: its request began and no answer of it was kept. */
export type Begun =
  | { readonly kind: 'new' | 'unfinished' | 'conflict' }
  | { readonly kind: 'ended'; readonly answer: JsonValue };

/** Requests by their key, where the effect is no operation; kept 24 h. An answer beside a key holds no secret. */
export interface Requests {
  /**
   * Makes the effect and keeps its answer in one transaction, or gives the answer that is kept. What the effect writes
   * through the other ports is part of that transaction. A refusal leaves nothing behind, its key neither.
   */
  once<T extends JsonValue>(key: IdempotencyKey, effect: () => Promise<Outcome<T>>): Promise<Answered<T>>;
  /** For effects that no transaction can hold: the key is kept before, the answer by {@link end}. */
  begin(key: IdempotencyKey): Promise<Begun>;
  end(key: IdempotencyKey, answer: JsonValue): Promise<void>;
}
