'use client';

import { useTranslations } from 'next-intl';
import { StatusGlyph } from '../graph/status-glyph';
import { lookOf, NODE_LOOKS } from '../graph/status-look';
import { EmptyState } from '../kit/states';
import { Blockers } from './blocker-list';
import { stoppedSteps } from './failure-report';
import styles from './operation.module.css';
import { useLive, useOperation } from './operation-context';

/** What waits for a person and which steps stopped, each a way to its details. */
export function AttentionTab() {
  const words = useTranslations('operation');
  const graph = useTranslations('graph');
  const { operation, push } = useOperation();
  const live = useLive((state) => state);
  const steps = stoppedSteps(operation.plan, live);
  const blockers = live.head?.blockers ?? [];
  if (steps.length === 0 && blockers.length === 0)
    return <EmptyState title={words('attentionTab.none')} text={words('attentionTab.noneText')} />;
  return (
    <>
      {steps.length === 0 ? null : (
        <ul className={styles.stepLinks}>
          {steps.map((step) => (
            <li key={step.key}>
              <button type="button" className={styles.stepLink} onClick={() => push({ node: step.key })}>
                <StatusGlyph look={lookOf(NODE_LOOKS, step.status)} size={18} />
                <span>
                  <strong>
                    {step.host === null
                      ? step.title
                      : words('failure.stepOn', { title: step.title, host: step.host })}
                  </strong>
                  <span className={styles.reason}>{step.reason ?? graph(`status.${step.status}`)}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {blockers.length === 0 ? null : <Blockers />}
    </>
  );
}
