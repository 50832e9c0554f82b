/**
 * A key that makes a repeated request the same request. Made of random bytes by hand: `crypto.randomUUID` is missing on
 * pages that are served over plain http from another machine.
 */
export function newIdempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/** Keys for one dialog: the same input gets the same key, so a request that is sent again after a lost answer is one. */
export function keysByInput(): (input: unknown) => string {
  let last = { text: '', key: '' };
  return (input) => {
    const text = JSON.stringify(input);
    if (text !== last.text) last = { text, key: newIdempotencyKey() };
    return last.key;
  };
}
