const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as `10m`, `90s`, `2h` or `7d`; null when it is none. */
export function parseDuration(source: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(source);
  return match ? Number(match[1]) * (UNITS[match[2] ?? ''] ?? 0) : null;
}
