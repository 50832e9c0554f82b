'use client';

import { isEnd } from '@capstan/model';
import { SegmentedControl } from '@mantine/core';
import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import { lookOf, OPERATION_LOOKS } from '../graph/status-look';
import { durationRangeText } from '../kit/duration-range';
import { useServerNow } from '../kit/server-time';
import { ActionButtons } from './action-buttons';
import { ConnectionChip } from './connection-chip';
import { elapsedText } from './elapsed';
import { LastOrder } from './last-order';
import styles from './operation.module.css';
import { useLive, useOperation } from './operation-context';
import { StatusPill } from './status-pill';
import { VIEWS } from './url-state';

/** What this is, how it stands, how far it is, how long it took, and what may be done [UX-R1]. */
export function OperationHeader() {
  const words = useTranslations('operation');
  const { operation, url, push } = useOperation();
  const head = useLive((live) => live.head);
  const status = head?.status ?? 'planned';
  return (
    <header className={styles.header}>
      <nav className={styles.crumbs} aria-label={words('crumbs')}>
        <Link href="/operations">{words('operations')}</Link>
        <span aria-hidden="true">/</span>
        {operation.parent === null ? null : (
          <>
            <Link href={`/operations/${operation.parent.number}`}>{operation.parent.number}</Link>
            <span aria-hidden="true">/</span>
          </>
        )}
        <span>{operation.number}</span>
        <span className={styles.crumbsEnd}>
          <ConnectionChip />
        </span>
      </nav>
      <div className={styles.titleRow}>
        <h1 className={styles.title}>{operation.title}</h1>
        <SegmentedControl
          size="sm"
          aria-label={words('view.name')}
          value={url.view}
          onChange={(view) => push({ view: view as (typeof VIEWS)[number] })}
          data={VIEWS.map((view) => ({ value: view, label: words(`view.${view}`) }))}
          data-testid="view-switch"
        />
      </div>
      <div className={styles.facts}>
        {/* Its place is kept before the first frame: nothing moves when that comes. */}
        <span className={head === null ? styles.unknown : undefined}>
          <StatusPill
            look={lookOf(OPERATION_LOOKS, status)}
            status={status}
            text={words(`status.${status}`)}
          />
        </span>
        <HeaderFacts />
        <span className={styles.actions}>
          <ActionButtons />
        </span>
      </div>
      <LastOrder />
    </header>
  );
}

function HeaderFacts() {
  const words = useTranslations('operation');
  const locale = useLocale();
  const { operation } = useOperation();
  const head = useLive((live) => live.head);
  const now = useServerNow(1_000);
  if (head === null) return <span className={styles.fact}> </span>;
  const { progress } = head;
  const started = head.startedAt ?? operation.createdAt;
  const ended = head.endedAt === null ? now : Date.parse(head.endedAt);
  const over = isEnd(head.status);
  return (
    <>
      <span className={styles.fact} data-testid="phases">
        {words('phases', { done: progress.phasesDone, total: progress.phasesTotal })}
      </span>
      <span className={styles.fact} suppressHydrationWarning>
        {words(over ? 'took' : 'elapsed', { time: elapsedText(ended - Date.parse(started), locale) })}
      </span>
      {over || progress.remaining === null ? null : (
        <span className={styles.fact}>
          {words('remaining', { time: durationRangeText(progress.remaining, locale) })}
        </span>
      )}
      {progress.longerThanUsual && !over ? <span className={styles.fact}>{words('longer')}</span> : null}
      {progress.needsAttention === 0 ? null : (
        <span className={styles.factUrgent}>{words('attention', { count: progress.needsAttention })}</span>
      )}
      <span className={styles.factQuiet}>
        {operation.resource} · {operation.scenario} · {operation.environment}
      </span>
    </>
  );
}
