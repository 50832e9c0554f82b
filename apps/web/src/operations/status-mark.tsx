import classes from './operations.module.css';

/** Tone and shape of a status: colour is never alone [UX-R1]. */
const LOOKS: Readonly<Record<string, { readonly tone: keyof typeof TONES; readonly path: string }>> = {
  planned: { tone: 'quiet', path: 'M8 4v4l3 2' },
  waiting: { tone: 'going', path: 'M8 4v4l3 2' },
  running: { tone: 'going', path: 'M6.5 5v6l5-3z' },
  paused: { tone: 'quiet', path: 'M6 5v6M10 5v6' },
  cancelling: { tone: 'quiet', path: 'M5.5 5.5h5v5h-5z' },
  needs_attention: { tone: 'warn', path: 'M8 4v5M8 11.5v.5' },
  succeeded: { tone: 'good', path: 'M4.5 8l2.5 2.5 4.5-5' },
  succeeded_with_waivers: { tone: 'good', path: 'M4.5 8l2.5 2.5 4.5-5' },
  failed: { tone: 'bad', path: 'M5.5 5.5l5 5M10.5 5.5l-5 5' },
  cancelled: { tone: 'quiet', path: 'M4.5 11.5l7-7' },
};

const TONES = {
  good: classes.good,
  bad: classes.bad,
  warn: classes.warn,
  going: classes.going,
  quiet: undefined,
};

/** A status in words, with a shape and a tone; one that is not known yet is shown by the words alone. */
export function StatusMark({ status, label }: { readonly status: string; readonly label: string }) {
  const look = LOOKS[status];
  const tone = look === undefined ? undefined : TONES[look.tone];
  return (
    <span className={[classes.status, tone].filter(Boolean).join(' ')} data-status={status}>
      {look !== undefined && (
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
          <circle cx="8" cy="8" r="7" fill="none" stroke="currentColor" strokeWidth="1.5" />
          <path d={look.path} fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
        </svg>
      )}
      {label}
    </span>
  );
}
