const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** The distance from `now` to `at` in the largest unit that holds it once; seconds below ten count as none. */
export function relativeParts(at: number, now: number): { value: number; unit: (typeof units)[number][0] } {
  const distance = at - now;
  const [unit, size] = units.find(([, length]) => Math.abs(distance) >= length) ?? ['second', 1_000];
  const value = Math.trunc(distance / size);
  return unit === 'second' && Math.abs(value) < 10
    ? { value: 0, unit }
    : { value: value === 0 ? 0 : value, unit };
}
