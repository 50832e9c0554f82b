'use client';

import { Button } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { hostOf } from '../graph/plan-view';
import { StatusGlyph } from '../graph/status-glyph';
import { type Look, lookOf } from '../graph/status-look';
import tones from '../graph/tones.module.css';
import { RelativeTime } from '../kit/relative-time';
import { EmptyState } from '../kit/states';
import { elapsedText } from './elapsed';
import styles from './operation.module.css';
import { useOperation } from './operation-context';
import type { NodeRunDetails } from './use-node-run';

const LOOKS: Readonly<Record<string, Look>> = {
  starting: { glyph: 'dots', tone: 'next' },
  running: { glyph: 'half', tone: 'active' },
  disconnected: { glyph: 'question', tone: 'doubt' },
  verifying: { glyph: 'eye', tone: 'checking' },
  cancelling: { glyph: 'slash', tone: 'doubt' },
  succeeded: { glyph: 'check', tone: 'good' },
  failed: { glyph: 'cross', tone: 'bad' },
  unproven: { glyph: 'warning', tone: 'doubt' },
  unknown: { glyph: 'question', tone: 'lost' },
  cancelled: { glyph: 'slash', tone: 'idle' },
  cancel_unconfirmed: { glyph: 'warning', tone: 'doubt' },
};

/** Every try, the newest first; earlier ones stay [UX-R12]. */
export function AttemptsTab({ run }: { readonly run: NodeRunDetails }) {
  const words = useTranslations('operation');
  const locale = useLocale();
  const { push } = useOperation();
  const attempts = [...run.attempts.nodes].reverse();
  if (attempts.length === 0)
    return <EmptyState title={words('attempts.none')} text={words('attempts.noneText')} />;
  return (
    <ol className={styles.attempts} data-testid="attempts">
      {attempts.map((attempt) => {
        const look = lookOf(LOOKS, attempt.status);
        return (
          <li
            key={attempt.id}
            className={styles.attempt}
            data-attempt={attempt.number}
            data-status={attempt.status}
          >
            <StatusGlyph look={look} size={20} />
            <div className={styles.attemptBody}>
              <p>
                <strong>{words('attempts.number', { number: attempt.number })}</strong>{' '}
                <span className={`${styles.toned} ${tones[look.tone]}`}>
                  {words(`attemptStatus.${attempt.status}`)}
                </span>
              </p>
              {attempt.cause === null ? null : <p className={styles.reason}>{attempt.cause.text}</p>}
              <p className={styles.aside}>
                {hostOf(attempt.host)} · <RelativeTime at={attempt.startedAt} />
                {attempt.endedAt === null
                  ? null
                  : ` · ${words('took', { time: elapsedText(Date.parse(attempt.endedAt) - Date.parse(attempt.startedAt), locale) })}`}
                {attempt.exitCode === null
                  ? null
                  : ` · ${words('attempts.exit', { code: attempt.exitCode })}`}
              </p>
            </div>
            <Button size="xs" variant="default" onClick={() => push({ tab: 'log', attempt: attempt.number })}>
              {words('tab.log')}
            </Button>
          </li>
        );
      })}
    </ol>
  );
}
