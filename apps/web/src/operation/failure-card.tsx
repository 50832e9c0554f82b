'use client';

import { Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { StatusGlyph } from '../graph/status-glyph';
import { lookOf, NODE_LOOKS } from '../graph/status-look';
import { ActionButton } from './action-buttons';
import { copyText } from './copy-text';
import { reportText, type StoppedStep, stoppedSteps } from './failure-report';
import styles from './operation.module.css';
import { useLive, useOperation } from './operation-context';

/** More steps than this are a number: the list view has them all. */
const SHOWN = 4;

/** What failed, what was tried, what you can do – at most three things – and a report to pass on [UX-S7]. */
export function FailureCard() {
  const words = useTranslations('operation');
  const { operation, push } = useOperation();
  const live = useLive((state) => state);
  const steps = stoppedSteps(operation.plan, live);
  const retry = live.head?.actions.find(({ verb, allowed }) => verb === 'retry' && allowed);
  const cancel = live.head?.actions.find(({ verb, allowed }) => verb === 'cancel' && allowed);
  const [first] = steps;
  return (
    <section className={styles.failure} aria-labelledby="failure-title" data-testid="failure">
      <h2 id="failure-title" className={styles.h2}>
        {words('failure.title')}
      </h2>
      {live.head?.reason == null || first !== undefined ? null : <p>{live.head.reason}</p>}
      {first === undefined ? (
        <ul className={styles.plainList}>
          {(live.head?.blockers ?? []).map((blocker) => (
            <li key={blocker.what}>{blocker.what}</li>
          ))}
        </ul>
      ) : (
        <ul className={styles.failureSteps}>
          {steps.slice(0, SHOWN).map((step) => (
            <FailedStep key={step.key} step={step} />
          ))}
          {steps.length > SHOWN ? <li>{words('failure.more', { count: steps.length - SHOWN })}</li> : null}
        </ul>
      )}
      <h3 className={styles.h3}>{words('failure.do')}</h3>
      <div className={styles.failureActions}>
        {retry === undefined ? null : <ActionButton action={retry} nodeKey={null} primary />}
        {first === undefined ? null : (
          <Button
            variant="default"
            size="md"
            onClick={() => push({ view: 'graph', node: first.key, tab: 'log' })}
            data-testid="failure-log"
          >
            {words('failure.log')}
          </Button>
        )}
        {cancel === undefined ? null : <ActionButton action={cancel} nodeKey={null} />}
        <CopyReport steps={steps} />
      </div>
    </section>
  );
}

function FailedStep({ step }: { step: StoppedStep }) {
  const words = useTranslations('operation');
  const graph = useTranslations('graph');
  return (
    <li>
      <StatusGlyph look={lookOf(NODE_LOOKS, step.status)} size={20} />
      <div>
        <strong>
          {step.host === null ? step.title : words('failure.stepOn', { title: step.title, host: step.host })}
        </strong>{' '}
        <span className={styles.aside}>{graph(`status.${step.status}`)}</span>
        {step.reason === null ? null : <p className={styles.reason}>{step.reason}</p>}
        <p className={styles.aside}>{words('failure.tried', { count: step.attempts })}</p>
      </div>
    </li>
  );
}

function CopyReport({ steps }: { steps: readonly StoppedStep[] }) {
  const words = useTranslations('operation');
  const graph = useTranslations('graph');
  const { store } = useOperation();
  const [copied, setCopied] = useState(false);
  return (
    <Button
      variant="subtle"
      size="sm"
      data-testid="copy-report"
      onClick={async () => {
        const report = reportText(store.state.getState(), steps, window.location.href, {
          status: words('field.status'),
          reason: words('failure.reason'),
          attempts: words('failure.attempts'),
          statusOf: (status) => graph(`status.${status}`),
        });
        setCopied(await copyText(report));
      }}
    >
      {copied ? words('copied') : words('failure.copy')}
    </Button>
  );
}
