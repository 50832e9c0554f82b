'use client';

import { useTranslations } from 'next-intl';
import { lookOf, STAGE_LOOKS } from '../graph/status-look';
import tones from '../graph/tones.module.css';
import styles from './operation.module.css';
import { useLive, useOperation } from './operation-context';

/** One segment per phase; a phase fills as its steps are proved, and is green only when all of them are. */
export function PhaseBar() {
  const words = useTranslations('operation');
  const { operation } = useOperation();
  const stages = useLive((live) => live.stages);
  const done = stages.filter((stage) => stage.status === 'succeeded').length;
  const total = operation.plan.stages.length;
  return (
    <div
      className={styles.phaseBar}
      role="progressbar"
      aria-label={words('field.progress')}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      aria-valuetext={words('phases', { done, total })}
    >
      {operation.plan.stages.map(({ id }) => {
        const stage = stages.find((one) => one.id === id);
        const part = stage === undefined || stage.total === 0 ? 0 : stage.done / stage.total;
        return (
          <span key={id} className={tones[lookOf(STAGE_LOOKS, stage?.status ?? 'pending').tone]}>
            <span style={{ transform: `scaleX(${stage?.status === 'succeeded' ? 1 : part})` }} />
          </span>
        );
      })}
    </div>
  );
}
