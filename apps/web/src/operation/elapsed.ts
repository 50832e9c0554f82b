/** `4 s`, `3 min 20 s`, `2 h 05 min`: how long something has taken, in the words of the reader's language. */
export function elapsedText(ms: number, locale: string): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const unit = (value: number, name: 'second' | 'minute' | 'hour' | 'day') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value);
  if (seconds < 60) return unit(seconds, 'second');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${unit(minutes, 'minute')} ${unit(seconds % 60, 'second')}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${unit(hours, 'hour')} ${unit(minutes % 60, 'minute')}`;
  return `${unit(Math.floor(hours / 24), 'day')} ${unit(hours % 24, 'hour')}`;
}
