'use client';

import { useTranslations } from 'next-intl';
import { ArtifactList } from './artifact-list';
import styles from './operation.module.css';

/** What came out: the artifacts, secrets masked until somebody asks. */
export function ResultCard() {
  const words = useTranslations('operation');
  return (
    <section className={styles.card} aria-label={words('result')} data-testid="result">
      <h2 className={styles.h2}>{words('result')}</h2>
      <ArtifactList />
    </section>
  );
}
