'use client';

import { Button, Stack, Text } from '@mantine/core';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
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

/** Links, because what is shown stands in the address; they wrap where a row is too narrow. */
function FilterBar({ filter }: { readonly filter: ListFilter }) {
  const t = useTranslations('operations');
  const path = usePathname();
  return (
    <nav aria-label={t('filter.label')} className={classes.filters}>
      {LIST_FILTERS.map((value) => (
        <Button
          key={value}
          component={Link}
          href={value === 'all' ? path : `${path}?show=${value}`}
          replace
          scroll={false}
          variant="default"
          size="sm"
          aria-current={value === filter ? 'page' : undefined}
          className={classes.filter}
        >
          {t(`filter.${value}`)}
        </Button>
      ))}
    </nav>
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
