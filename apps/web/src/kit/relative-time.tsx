'use client';

import { useFormatter, useTimeZone } from 'next-intl';
import { relativeParts } from './relative-parts';
import classes from './relative-time.module.css';
import { useServerNow } from './server-time';

/** "3 minutes ago", on the server's clock; hover or focus tells the moment and its zone [UX-X6]. */
export function RelativeTime({ at }: { readonly at: string }) {
  const format = useFormatter();
  const timeZone = useTimeZone();
  const now = useServerNow();
  const moment = new Date(at);
  const { value, unit } = relativeParts(moment.getTime(), now);
  const absolute = format.dateTime(moment, { dateStyle: 'medium', timeStyle: 'long', timeZone });
  const relative = format.relativeTime(moment, { now: moment.getTime() - value * unitMs[unit], unit });
  return (
    <time dateTime={at} tabIndex={0} className={classes.time} data-moment={absolute} suppressHydrationWarning>
      {relative}
      <span className={classes.moment}>, {absolute}</span>
    </time>
  );
}

const unitMs = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };
