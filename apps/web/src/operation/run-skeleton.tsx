import { Skeleton } from '@mantine/core';
import styles from './operation.module.css';

/** The run view's place until its code is there. */
export function RunSkeleton() {
  return (
    <div className={styles.run} aria-busy="true">
      <div className={styles.main}>
        <Skeleton height="100%" radius="lg" />
      </div>
      <div className={styles.panel}>
        <Skeleton height="100%" radius="lg" />
      </div>
    </div>
  );
}
