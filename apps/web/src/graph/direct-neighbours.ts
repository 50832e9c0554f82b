/**
 * What each box waits for directly: without what it waits for through another one. Plans name every provider, so a chain
 * of seven has lines over the boxes between; the picture needs only the steps. Boxes are their places in plan order, as
 * numbers: a barrier of 100 × 100 has 10,000 edges, and strings took half a second. O(edges × boxes / 32).
 */
export function directNeighbours(before: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const words = Math.ceil(before.length / 32);
  const ancestors: Uint32Array[] = [];
  // In plan order, so what a box waits for is known already. Of a stack, which may stand before a part of what it waits
  // for, too much is drawn at worst.
  return before.map((own) => {
    const through = new Uint32Array(words);
    for (const from of own) {
      const known = ancestors[from];
      if (known !== undefined)
        for (let word = 0; word < words; word++) through[word] = at(through, word) | at(known, word);
    }
    const direct = own.filter((from) => (at(through, from >> 5) & (1 << (from & 31))) === 0);
    for (const from of own) through[from >> 5] = at(through, from >> 5) | (1 << (from & 31));
    ancestors.push(through);
    return direct;
  });
}

function at(bits: Uint32Array, word: number): number {
  return bits[word] as number;
}
