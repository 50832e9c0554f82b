import type { JsonValue, Outcome } from '@capstan/model';
import { ok } from '@capstan/model';
import type { IdempotencyKey } from '../ports/operation-store.js';
import type { Answered, Begun, Requests } from '../ports/requests.js';

/** Requests in memory; nothing is rolled back, so an effect refuses before it writes. */
export class MemoryRequests implements Requests {
  private readonly kept = new Map<string, { readonly hash: string; answer: JsonValue }>();

  async once<T extends JsonValue>(
    key: IdempotencyKey,
    effect: () => Promise<Outcome<T>>,
  ): Promise<Answered<T>> {
    const known = this.kept.get(nameOf(key));
    if (known && known.hash !== key.inputHash) return { kind: 'conflict' };
    if (known) return { kind: 'answered', repeated: true, outcome: ok(known.answer as T) };
    const outcome = await effect();
    if (outcome.ok) this.kept.set(nameOf(key), { hash: key.inputHash, answer: outcome.value });
    return { kind: 'answered', repeated: false, outcome };
  }

  begin(key: IdempotencyKey): Promise<Begun> {
    const known = this.kept.get(nameOf(key));
    if (known && known.hash !== key.inputHash) return Promise.resolve({ kind: 'conflict' });
    if (!known) this.kept.set(nameOf(key), { hash: key.inputHash, answer: null });
    return Promise.resolve(
      !known
        ? { kind: 'new' }
        : known.answer === null
          ? { kind: 'unfinished' }
          : { kind: 'ended', answer: known.answer },
    );
  }

  end(key: IdempotencyKey, answer: JsonValue): Promise<void> {
    this.kept.set(nameOf(key), { hash: key.inputHash, answer });
    return Promise.resolve();
  }
}

function nameOf({ subject, mutation, key }: IdempotencyKey): string {
  return `${subject}|${mutation}|${key}`;
}
