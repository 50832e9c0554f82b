'use client';

import { Button, SegmentedControl, Stack, Text, VisuallyHidden } from '@mantine/core';
import Link from 'next/link';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import { PageHeading } from '../kit/page-heading';
import { RequestState } from '../kit/request-state';
import { EmptyState, LoadingState } from '../kit/states';
import { OperationCard } from './operation-card';
import { filterOf, LIST_FILTERS, type ListFilter } from './operation-list';
import classes from './operations.module.css';
import { useOperations } from './use-operations';

/** The page /operations: a card for each operation, those that wait for a person first [UX-S4]. */
export function OperationsPage() {
  const t = useTranslations('operations');
  const format = useFormatter();
  const filter = filterOf(useSearchParams().get('show'));
  const { operations, error, asOf, hasMore, loadMore, refresh } = useOperations(filter);
  return (
    <>
      <PageHeading
        title={t('title')}
        aside={
          <Button component={Link} href="/new" data-testid="new-operation">
            {t('new')}
          </Button>
        }
      />
      <FilterBar filter={filter} />
      <Stack gap="md">
        {error !== null && <RequestState error={error} onRetry={refresh} />}
        {asOf !== null && (
          <Text size="sm" c="dimmed" data-testid="as-of">
            {t('asOf', { time: format.dateTime(new Date(asOf), { timeStyle: 'medium' }) })}
          </Text>
        )}
        {operations === null && error === null && <LoadingState />}
        {operations?.length === 0 && <NothingHere filter={filter} />}
        {operations !== null && operations.length > 0 && (
          <ul className={classes.cards} aria-label={t('title')} data-testid="operations">
            {operations.map((operation) => (
              <li key={operation.id}>
                <OperationCard operation={operation} onChanged={refresh} />
              </li>
            ))}
          </ul>
        )}
        {hasMore && (
          <Button
            variant="default"
            onClick={loadMore}
            style={{ alignSelf: 'center' }}
            data-testid="load-more"
          >
            {t('loadMore')}
          </Button>
        )}
      </Stack>
    </>
  );
}

function FilterBar({ filter }: { readonly filter: ListFilter }) {
  const t = useTranslations('operations');
  const router = useRouter();
  const path = usePathname();
  return (
    <div className={classes.filters}>
      <VisuallyHidden id="operations-filter">{t('filter.label')}</VisuallyHidden>
      <SegmentedControl
        aria-labelledby="operations-filter"
        value={filter}
        data={LIST_FILTERS.map((value) => ({ value, label: t(`filter.${value}`) }))}
        onChange={(value) =>
          router.replace(value === 'all' ? path : `${path}?show=${value}`, { scroll: false })
        }
      />
    </div>
  );
}

function NothingHere({ filter }: { readonly filter: ListFilter }) {
  const t = useTranslations('operations');
  if (filter !== 'all') return <EmptyState title={t(`empty.${filter}`)} />;
  return (
    <EmptyState
      title={t('empty.all')}
      text={t('empty.text')}
      action={
        <Button component={Link} href="/new" size="md" mt="sm">
          {t('empty.action')}
        </Button>
      }
    />
  );
}
