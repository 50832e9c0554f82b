/**
 * A key that makes a repeated request the same request. Made of random bytes by hand: `crypto.randomUUID` is missing on
 * pages that are served over plain http from another machine.
 */
export function newIdempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
