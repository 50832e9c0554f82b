/**
 * What each box waits for directly: without what it waits for through another one. Plans name every provider, so a chain
 * of seven has lines over the boxes between; the picture needs only the steps. O(edges × boxes / 32).
 */
export function directNeighbours(
  keys: readonly string[],
  before: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, readonly string[]> {
  const place = new Map(keys.map((key, index) => [key, index]));
  const words = Math.ceil(keys.length / 32);
  const ancestors: Uint32Array[] = [];
  return new Map(
    // In plan order, so what a box waits for is known already. Of a stack, which may stand before a part of what it
    // waits for, too much is drawn at worst.
    keys.map((key) => {
      const through = new Uint32Array(words);
      const own = [...(before.get(key) ?? [])];
      for (const from of own) {
        const known = ancestors[place.get(from) as number];
        if (known !== undefined)
          for (let word = 0; word < words; word++) through[word] = at(through, word) | at(known, word);
      }
      const direct = own.filter((from) => !has(through, place.get(from) as number));
      for (const from of own) add(through, place.get(from) as number);
      ancestors.push(through);
      return [key, direct] as const;
    }),
  );
}

function at(bits: Uint32Array, word: number): number {
  return bits[word] as number;
}

function has(bits: Uint32Array, index: number): boolean {
  return (at(bits, index >> 5) & (1 << (index & 31))) !== 0;
}

function add(bits: Uint32Array, index: number): void {
  bits[index >> 5] = at(bits, index >> 5) | (1 << (index & 31));
}
