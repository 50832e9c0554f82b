'use client';

import { Button, Skeleton } from '@mantine/core';
import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { useQuery } from 'urql';
import { RequestState } from '../kit/request-state';
import { EmptyState } from '../kit/states';
import { usePageTitle } from '../shell/attention';
import { operationQuery } from './documents';
import styles from './operation.module.css';
import { OperationScreen } from './operation-screen';
import { operationOf } from './operation-view';

/** One operation, from its number or id: loads what does not change, then the screen follows the rest. */
export function OperationPage({ reference }: { readonly reference: string }) {
  const words = useTranslations('operation');
  const locale = useLocale();
  const [{ data, error, fetching }, again] = useQuery({
    query: operationQuery,
    variables: { ref: reference, locale },
  });
  usePageTitle(data?.operation?.title.text ?? reference);

  if (data?.operation != null) {
    const operation = operationOf(data.operation);
    return (
      <OperationScreen
        // Another language is other texts in every frame, so it is another screen.
        key={`${operation.id} ${locale}`}
        operation={operation}
        onOutdated={() => again({ requestPolicy: 'network-only' })}
      />
    );
  }
  if (error !== undefined && !fetching)
    return <RequestState error={error} onRetry={() => again({ requestPolicy: 'network-only' })} />;
  if (data !== undefined && !fetching)
    return (
      <EmptyState
        title={words('notFound.title', { reference })}
        text={words('notFound.text')}
        action={
          <Button component={Link} href="/operations" variant="default">
            {words('notFound.back')}
          </Button>
        }
      />
    );
  return <OperationSkeleton label={words('loading')} />;
}

/** The shape of what comes, in its size: nothing jumps when it is there. */
function OperationSkeleton({ label }: { label: string }) {
  useEffect(() => {
    // The chunk of the run view is needed next, whichever link somebody follows.
    void import('./run-view');
  }, []);
  return (
    <div className={styles.page} role="status" aria-label={label} data-testid="operation-loading">
      <div className={styles.header}>
        <Skeleton height={18} width={140} />
        <Skeleton height={34} width="min(520px, 80%)" />
        <Skeleton height={28} width="min(420px, 70%)" />
      </div>
      <Skeleton height={300} maw={760} radius="lg" />
    </div>
  );
}
