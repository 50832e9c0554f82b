'use client';

import { Anchor } from '@mantine/core';
import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import { useQuery } from 'urql';
import type { ResultOf } from '../api/graphql';
import { PageHeading } from '../kit/page-heading';
import { RequestState } from '../kit/request-state';
import { EmptyState, LoadingState } from '../kit/states';
import { LARGEST_PAGE, useAllPages } from '../kit/use-all-pages';
import { HostChoicesQuery, ScenarioQuery } from './documents';
import { NewOperation } from './new-operation';

const ALL = { first: LARGEST_PAGE };
const hostsOf = (data: ResultOf<typeof HostChoicesQuery>) => data.hosts;

/** The page /new/<scenario>: from parameters over the plan to a running operation. */
export function ScenarioPage({ reference }: { readonly reference: string }) {
  const t = useTranslations('new');
  const locale = useLocale();
  const [{ data, error }, refetch] = useQuery({
    query: ScenarioQuery,
    variables: { ref: reference, locale },
  });
  const choices = useAllPages(HostChoicesQuery, ALL, hostsOf);
  const failed = error ?? choices.error;
  if (failed !== null && failed !== undefined && (data === undefined || choices.items === null))
    return (
      <>
        <PageHeading title={t('title')} />
        <RequestState
          error={failed}
          onRetry={() => {
            refetch({ requestPolicy: 'network-only' });
            choices.refresh();
          }}
        />
      </>
    );
  if (data === undefined || choices.items === null)
    return (
      <>
        <PageHeading title={t('title')} />
        <LoadingState lines={5} />
      </>
    );
  if (data.scenario === null)
    return (
      <>
        <PageHeading title={t('title')} />
        <EmptyState
          title={t('unknown', { ref: reference })}
          action={
            <Anchor component={Link} href="/new" underline="always">
              {t('backToScenarios')}
            </Anchor>
          }
        />
      </>
    );
  return (
    <NewOperation
      // Another scenario is another form.
      key={data.scenario.ref}
      scenario={data.scenario}
      others={data.scenarios.nodes}
      environments={choices.data?.environments ?? []}
      hosts={choices.items}
      lab={data.serverInfo.lab}
    />
  );
}
