/** A ring of names, the first one repeated at its end; null when there is none. Linear in the number of edges. */
export function findCycle(edges: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const targets = (name: string): readonly string[] =>
    (edges.get(name) ?? []).filter((other) => edges.has(other));
  const sources = new Map<string, string[]>([...edges.keys()].map((name) => [name, []]));
  const open = new Map<string, number>();
  for (const name of edges.keys()) {
    open.set(name, targets(name).length);
    for (const other of targets(name)) sources.get(other)?.push(name);
  }
  const free = [...open].filter(([, count]) => count === 0).map(([name]) => name);
  for (const name of free) {
    open.delete(name);
    for (const source of sources.get(name) ?? []) {
      const count = (open.get(source) ?? 0) - 1;
      open.set(source, count);
      if (count === 0) free.push(source);
    }
  }
  // What is left leads, step by step, into a ring.
  const path: string[] = [];
  let [next] = open.keys();
  while (next !== undefined) {
    const ring = path.indexOf(next);
    if (ring !== -1) return [...path.slice(ring), next];
    path.push(next);
    next = targets(next).find((other) => open.has(other));
  }
  return null;
}
