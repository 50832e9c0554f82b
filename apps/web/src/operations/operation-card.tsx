import { Button, Group, Progress, Text, Title } from '@mantine/core';
import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { durationRangeText } from '../kit/duration-range';
import facts from '../kit/facts.module.css';
import { useSentence } from '../kit/use-sentence';
import type { OperationCardData } from './documents';
import { isOver, needsAttention } from './operation-list';
import classes from './operations.module.css';
import { RetryDialog } from './retry-dialog';
import { StatusMark } from './status-mark';

/** One operation in the words of a person: what is done, how far it is, whether somebody is needed [UX-S1]. */
export function OperationCard(props: {
  readonly operation: OperationCardData;
  readonly onChanged: () => void;
}) {
  const { operation, onChanged } = props;
  const t = useTranslations('operations');
  const locale = useLocale();
  const [retrying, setRetrying] = useState(false);
  const { progress, status, blockers, resource } = operation;
  const title = useSentence()(operation.title.text, resource?.key ?? null);
  const href = `/operations/${operation.number}`;
  const attention = needsAttention(operation);
  const retry = operation.actions.find(({ verb, allowed }) => verb === 'retry' && allowed);
  const remaining = isOver(operation) ? null : progress.remaining;
  return (
    <article className={classes.card} data-attention={attention} data-testid="operation-card">
      <Title order={2} size="h4">
        <Link href={href} className={classes.title}>
          {title}
        </Link>
      </Title>
      <Progress
        value={progress.phasesTotal === 0 ? 0 : (100 * progress.phasesDone) / progress.phasesTotal}
        size="sm"
        color={attention ? 'orange' : status === 'succeeded' ? 'green' : undefined}
        aria-label={t('field.progress')}
      />
      <dl className={facts.facts}>
        <dt>{t('field.status')}</dt>
        <dd>
          <StatusMark status={status} label={t.has(`status.${status}`) ? t(`status.${status}`) : status} />
        </dd>
        {progress.phase !== null && (
          <>
            <dt>{t('field.phase')}</dt>
            <dd>{progress.phase.text}</dd>
          </>
        )}
        <dt>{t('field.progress')}</dt>
        <dd>
          {t('progress', { done: progress.phasesDone, total: progress.phasesTotal })}
          {progress.addedByPatch > 0 && <> {t('addedByPatch', { count: progress.addedByPatch })}</>}
        </dd>
        <dt>{t('field.attention')}</dt>
        <dd>{attention ? <NeededFor operation={operation} /> : t('attention.no')}</dd>
        {remaining !== null && (
          <>
            <dt>{t('field.remaining')}</dt>
            <dd>
              {durationRangeText(remaining, locale)}
              {progress.longerThanUsual && <> · {t('longerThanUsual')}</>}
            </dd>
          </>
        )}
      </dl>
      {!attention && blockers[0] !== undefined && (
        <Text size="sm" c="dimmed">
          {blockers[0].what.text}
        </Text>
      )}
      <Group className={classes.foot}>
        {attention && retry !== undefined ? (
          <Button size="md" onClick={() => setRetrying(true)} aria-label={t('retryNamed', { title })}>
            {t('retry')}
          </Button>
        ) : (
          <Button
            component={Link}
            href={href}
            size="md"
            variant={attention ? 'filled' : 'default'}
            aria-label={t('openNamed', { title })}
          >
            {t('open')}
          </Button>
        )}
      </Group>
      {retry !== undefined && (
        <RetryDialog
          opened={retrying}
          operation={operation.number}
          title={title}
          effect={retry.effect.text}
          onClose={() => setRetrying(false)}
          onDone={onChanged}
        />
      )}
    </article>
  );
}

/** What a person is needed for, in the words of the first blocker; how many more there are. */
function NeededFor({ operation }: { readonly operation: OperationCardData }) {
  const t = useTranslations('operations');
  const count = Math.max(1, operation.progress.needsAttention);
  const what = operation.blockers[0]?.what.text ?? operation.reason?.text;
  return (
    <>
      <strong>{t('attention.yes', { count })}</strong>
      {what !== undefined && <> {what}</>}
    </>
  );
}
