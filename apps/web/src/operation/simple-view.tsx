'use client';

import { isEnd } from '@capstan/model';
import { Button } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { durationRangeText } from '../kit/duration-range';
import { useSentence } from '../kit/use-sentence';
import { BlockerList } from './blocker-list';
import { FailureCard } from './failure-card';
import styles from './operation.module.css';
import { useLive, useOperation } from './operation-context';
import { PhaseBar } from './phase-bar';
import { PhaseList } from './phase-list';
import { phaseNode } from './phase-node';
import { ResultCard } from './result-card';

/** The operation for people who want it done: one card, its phases, and what to do when it stops [UX-S1]. */
export function SimpleView() {
  const words = useTranslations('operation');
  const sentence = useSentence();
  const { operation, store, push } = useOperation();
  const head = useLive((live) => live.head);
  const attention = head !== null && head.progress.needsAttention > 0;
  return (
    <div className={styles.simple}>
      <section className={styles.card} data-testid="operation-card" aria-label={operation.title}>
        <p className={styles.sentence}>{sentence(operation.title, operation.resource)}</p>
        <CardFields />
        <PhaseBar />
        <div className={styles.cardFoot}>
          <Button
            variant={attention ? 'default' : 'filled'}
            size="md"
            onClick={() => push({ view: 'graph', node: phaseNode(operation.plan, store.state.getState()) })}
            data-testid="show-details"
          >
            {words('showDetails')}
          </Button>
        </div>
      </section>
      {attention ? <FailureCard /> : null}
      {head !== null && head.blockers.length > 0 && !attention ? <BlockerList /> : null}
      {head?.status === 'succeeded' || head?.status === 'succeeded_with_waivers' ? <ResultCard /> : null}
      <PhaseList />
    </div>
  );
}

/** Exactly the fields that a person asked for, in their order; a figure without ground is not shown [UX-S3]. */
function CardFields() {
  const words = useTranslations('operation');
  const locale = useLocale();
  const head = useLive((live) => live.head);
  const progress = head?.progress;
  const over = head !== null && isEnd(head.status);
  return (
    <dl className={styles.fields}>
      <dt>{words('field.status')}</dt>
      <dd data-testid="field-status">{head === null ? '…' : words(`status.${head.status}`)}</dd>
      <dt>{words('field.phase')}</dt>
      <dd data-testid="field-phase">{progress?.phase ?? (over ? words('field.noPhase') : '…')}</dd>
      <dt>{words('field.progress')}</dt>
      <dd data-testid="field-progress">
        {progress === undefined
          ? '…'
          : words('phases', { done: progress.phasesDone, total: progress.phasesTotal })}
        {progress !== undefined && progress.addedByPatch > 0 ? (
          <span className={styles.aside}>
            {' '}
            {words('field.addedByPatch', { count: progress.addedByPatch })}
          </span>
        ) : null}
      </dd>
      <dt>{words('field.attention')}</dt>
      <dd data-testid="field-attention">
        {progress === undefined
          ? '…'
          : progress.needsAttention === 0
            ? words('field.no')
            : words('attention', { count: progress.needsAttention })}
      </dd>
      {progress?.remaining == null || over ? null : (
        <>
          <dt>{words('field.remaining')}</dt>
          <dd data-testid="field-remaining">
            {durationRangeText(progress.remaining, locale)}
            {progress.longerThanUsual ? <span className={styles.aside}> {words('longer')}</span> : null}
          </dd>
        </>
      )}
    </dl>
  );
}
