/** The words of a scenario that a search looks at. */
export interface FindableScenario {
  readonly id: string;
  readonly title: { readonly text: string };
  readonly summary: { readonly text: string } | null;
  readonly provides: readonly string[];
}

/** The scenarios in whose words every word of the search stands, in the order in which they came. */
export function findScenarios<T extends FindableScenario>(
  scenarios: readonly T[],
  search: string,
): readonly T[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return scenarios.filter(({ id, title, summary, provides }) => {
    const text = [id, title.text, summary?.text ?? '', ...provides].join(' ').toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}
