/**
 * Aho–Corasick over bytes: finds every occurrence of many patterns in one pass, linear in the text whatever it holds.
 * Transitions lie in one hash table, because secrets in all their spellings make some hundred thousand states and a
 * dense row each would take a kilobyte per state.
 */
export class ByteMatcher {
  /** Length of the longest pattern. */
  readonly longest: number;
  readonly #root = new Int32Array(256);
  /** The table: parent state (0 = free slot), byte, child. */
  readonly #parents: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #children: Int32Array;
  readonly #fail: Int32Array;
  readonly #depth: Int32Array;
  readonly #longestEnd: Int32Array;

  constructor(patterns: readonly Uint8Array[]) {
    const states = 1 + patterns.reduce((sum, pattern) => sum + pattern.length, 0);
    const slots = tableSize(states);
    this.longest = patterns.reduce((most, pattern) => Math.max(most, pattern.length), 0);
    this.#parents = new Int32Array(slots);
    this.#bytes = new Uint8Array(slots);
    this.#children = new Int32Array(slots);
    this.#fail = new Int32Array(states);
    this.#depth = new Int32Array(states);
    this.#longestEnd = new Int32Array(states);
    this.#link(this.#grow(patterns));
  }

  /** Follows one byte from a state; state 0 is the start. */
  step(state: number, byte: number): number {
    let from = state;
    while (from !== 0) {
      const next = this.#child(from, byte);
      if (next !== 0) return next;
      from = this.#fail[from] as number;
    }
    return this.#root[byte] as number;
  }

  /** How many of the last bytes may still become a pattern: nothing before them can. */
  depth(state: number): number {
    return this.#depth[state] as number;
  }

  /** Length of the longest pattern that ends here; 0 for none. */
  matched(state: number): number {
    return this.#longestEnd[state] as number;
  }

  #grow(
    patterns: readonly Uint8Array[],
  ): readonly (readonly [state: number, parent: number, byte: number])[] {
    const made: [number, number, number][] = [];
    for (const pattern of patterns) {
      let state = 0;
      for (const byte of pattern) {
        let next = state === 0 ? (this.#root[byte] as number) : this.#child(state, byte);
        if (next === 0) {
          next = made.length + 1;
          if (state === 0) this.#root[byte] = next;
          else this.#put(state, byte, next);
          this.#depth[next] = (this.#depth[state] as number) + 1;
          made.push([next, state, byte]);
        }
        state = next;
      }
      if (state !== 0) this.#longestEnd[state] = pattern.length;
    }
    return made.sort((a, b) => (this.#depth[a[0]] as number) - (this.#depth[b[0]] as number));
  }

  /** Breadth first: the failure state of a state is shallower, so it is complete when it is read. */
  #link(byDepth: readonly (readonly [state: number, parent: number, byte: number])[]): void {
    for (const [state, parent, byte] of byDepth) {
      if (parent === 0) continue;
      const fail = this.step(this.#fail[parent] as number, byte);
      this.#fail[state] = fail;
      if (this.#longestEnd[state] === 0) this.#longestEnd[state] = this.#longestEnd[fail] as number;
    }
  }

  #child(state: number, byte: number): number {
    const slot = this.#slot(state, byte);
    return this.#parents[slot] === 0 ? 0 : (this.#children[slot] as number);
  }

  #put(state: number, byte: number, child: number): void {
    const slot = this.#slot(state, byte);
    this.#parents[slot] = state;
    this.#bytes[slot] = byte;
    this.#children[slot] = child;
  }

  #slot(state: number, byte: number): number {
    const mask = this.#parents.length - 1;
    let slot = (Math.imul(state, 0x9e3779b1) ^ Math.imul(byte, 0x85ebca6b)) >>> 7;
    for (slot &= mask; ; slot = (slot + 1) & mask) {
      const parent = this.#parents[slot];
      if (parent === 0 || (parent === state && this.#bytes[slot] === byte)) return slot;
    }
  }
}

function tableSize(states: number): number {
  let size = 16;
  while (size < states * 2) size *= 2;
  return size;
}
