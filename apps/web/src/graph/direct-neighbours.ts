/**
 * What each box waits for directly: without what it waits for through another one. Plans name every provider, so a chain
 * of seven has lines over the boxes between; the picture needs only the steps. Boxes are their places in plan order, as
 * numbers: a barrier of 100 × 100 has 10,000 edges, and strings took half a second. O(edges × boxes / 32).
 */
export function directNeighbours(before: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const words = Math.ceil(before.length / 32);
  const ancestors: Uint32Array[] = [];
  let last: { own: readonly number[]; through: Uint32Array; direct: readonly number[] } | null = null;
  // In plan order, so what a box waits for is known already. Of a stack, which may stand before a part of what it waits
  // for, too much is drawn at worst.
  return before.map((own) => {
    // Behind a barrier all boxes wait for the same, one after the other.
    if (last !== null && isSame(last.own, own)) {
      ancestors.push(last.through);
      return last.direct;
    }
    const through = new Uint32Array(words);
    for (const from of own) {
      const known = ancestors[from];
      if (known !== undefined)
        for (let word = 0; word < words; word++) through[word] = at(through, word) | at(known, word);
    }
    const direct = own.filter((from) => (at(through, from >> 5) & (1 << (from & 31))) === 0);
    for (const from of own) through[from >> 5] = at(through, from >> 5) | (1 << (from & 31));
    ancestors.push(through);
    last = { own, through, direct };
    return direct;
  });
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

function at(bits: Uint32Array, word: number): number {
  return bits[word] as number;
}
