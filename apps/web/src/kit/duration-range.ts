/** How long something still takes; both ends in seconds. */
export interface DurationRange {
  readonly lowSeconds: number;
  readonly highSeconds: number;
}

/** Units up to the one that a longest time still fits; `step` is how exact a figure may look. */
const UNITS = [
  { unit: 'second', seconds: 1, upTo: 90, step: 10 },
  { unit: 'minute', seconds: 60, upTo: 120 * 60, step: 1 },
  { unit: 'hour', seconds: 3600, upTo: 48 * 3600, step: 1 },
] as const;
const DAYS = { unit: 'day', seconds: 86_400, step: 1 } as const;

/** A range in the reader's language, rounded up so that it is not more exact than it can be: "10–15 minutes" [UX-S3]. */
export function durationRangeText({ lowSeconds, highSeconds }: DurationRange, locale: string): string {
  const high = Math.max(0, lowSeconds, highSeconds);
  const low = Math.min(Math.max(0, lowSeconds), high);
  const { unit, seconds, step } = UNITS.find(({ upTo }) => high <= upTo) ?? DAYS;
  const rounded = (value: number) => Math.max(step, Math.ceil(value / seconds / step) * step);
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  return rounded(low) === rounded(high)
    ? format.format(rounded(high))
    : format.formatRange(rounded(low), rounded(high));
}
