'use client';

import { useTranslations } from 'next-intl';
import { StatusGlyph } from '../graph/status-glyph';
import { lookOf, STAGE_LOOKS } from '../graph/status-look';
import tones from '../graph/tones.module.css';
import styles from './operation.module.css';
import { useLive, useOperation } from './operation-context';

/** The phases in order, each with its status in words; they turn green one by one. */
export function PhaseList() {
  const words = useTranslations('operation');
  const graph = useTranslations('graph');
  const { operation } = useOperation();
  const stages = useLive((live) => live.stages);
  return (
    <section className={styles.phases} aria-label={words('phaseList')}>
      <h2 className={styles.h2}>{words('phaseList')}</h2>
      <ol className={styles.phaseList}>
        {operation.plan.stages.map(({ id, title }) => {
          const stage = stages.find((one) => one.id === id);
          const status = stage?.status ?? 'pending';
          const look = lookOf(STAGE_LOOKS, status);
          return (
            <li
              key={id}
              className={`${styles.phase} ${tones[look.tone]}`}
              data-stage-id={id}
              data-status={status}
            >
              <StatusGlyph look={look} size={22} />
              <span className={styles.phaseTitle}>{stage?.title ?? title}</span>
              <span className={styles.phaseCount}>
                {stage === undefined ? '' : words('steps', { done: stage.done, total: stage.total })}
              </span>
              <span className={styles.phaseStatus}>{graph(`stageStatus.${status}`)}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
