/** The known name that a person most likely meant, or null when none is close. Ties go to the first in code-unit order. */
export function nearest(wrong: string, known: readonly string[]): string | null {
  const limit = Math.max(2, Math.floor(wrong.length / 3));
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const name of [...known].sort()) {
    if (Math.abs(name.length - wrong.length) > limit) continue;
    const distance = editDistance(wrong.toLowerCase(), name.toLowerCase());
    if (distance <= limit && (best === null || distance < best.distance)) best = { name, distance };
  }
  return best?.name ?? null;
}

/** `did you mean "x"; one of …`, with at most twelve names: a list of thousands helps nobody. */
export function expectedName(wrong: string, known: readonly string[]): string {
  const close = nearest(wrong, known);
  const sorted = [...known].sort();
  const listed = sorted.slice(0, 12).join(', ') + (sorted.length > 12 ? `, … (${sorted.length})` : '');
  if (sorted.length === 0) return 'none is known';
  return close === null ? `one of: ${listed}` : `did you mean "${close}"? One of: ${listed}`;
}

/** Optimal string alignment: insert, remove, replace, and swap of neighbours each cost one. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (above[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (above[j - 1] as number) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      row.push(cost);
    }
    before = above;
    above = row;
  }
  return above[b.length] as number;
}
