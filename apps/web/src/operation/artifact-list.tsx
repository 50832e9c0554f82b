'use client';

import { isEnd } from '@capstan/model';
import { useFormatter, useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { useQuery } from 'urql';
import tones from '../graph/tones.module.css';
import { RelativeTime } from '../kit/relative-time';
import { RequestState } from '../kit/request-state';
import { EmptyState, LoadingState } from '../kit/states';
import { artifactsQuery } from './documents';
import styles from './operation.module.css';
import { useLive, useOperation } from './operation-context';
import { RevealButton } from './reveal-artifact';

/** What the operation made; the value of a secret comes only when asked for, and nothing keeps it. */
export function ArtifactList() {
  const words = useTranslations('operation');
  const format = useFormatter();
  const { operation } = useOperation();
  const done = useLive((live) => live.stages.reduce((sum, stage) => sum + stage.done, 0));
  const over = useLive((live) => live.head !== null && isEnd(live.head.status));
  const [{ data, error, fetching }, again] = useQuery({
    query: artifactsQuery,
    variables: { ref: operation.id },
  });
  useEffect(() => {
    // A step more may have made one.
    if (done > 0 || over) again({ requestPolicy: 'network-only' });
  }, [done, over, again]);

  const artifacts = data?.operation?.artifacts.nodes;
  if (artifacts === undefined)
    return error !== undefined && !fetching ? (
      <RequestState error={error} onRetry={again} />
    ) : (
      <LoadingState lines={2} />
    );
  if (artifacts.length === 0)
    return <EmptyState title={words('artifacts.none')} text={words('artifacts.noneText')} />;
  return (
    <ul className={styles.artifacts} data-testid="artifacts">
      {artifacts.map((artifact) => (
        <li key={artifact.id} className={styles.artifact} data-artifact={artifact.name}>
          <div className={styles.artifactHead}>
            <span className={styles.mono}>{artifact.name}</span>
            {artifact.sensitive ? (
              <span className={`${styles.badge} ${tones.idle}`}>{words('artifacts.secret')}</span>
            ) : null}
            <span className={styles.aside}>
              {artifact.owner} ·{' '}
              {format.number(artifact.size, { style: 'unit', unit: 'byte', unitDisplay: 'long' })} ·{' '}
              <RelativeTime at={artifact.createdAt} />
              {artifact.expiresAt === null ? null : (
                <>
                  {' · '}
                  {words('artifacts.expires')} <RelativeTime at={artifact.expiresAt} />
                </>
              )}
            </span>
          </div>
          {artifact.sensitive ? (
            <RevealButton name={artifact.name} owner={artifact.owner} />
          ) : artifact.value === null ? (
            <span className={styles.aside}>{words('artifacts.binary')}</span>
          ) : (
            <pre className={styles.value}>{artifact.value}</pre>
          )}
        </li>
      ))}
    </ul>
  );
}
