'use client';

import { Anchor } from '@mantine/core';
import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import { useQuery } from 'urql';
import { useHosts } from '../hosts/use-hosts';
import { PageHeading } from '../kit/page-heading';
import { RequestState } from '../kit/request-state';
import { EmptyState, LoadingState } from '../kit/states';
import { ScenarioQuery } from './documents';
import { NewOperation } from './new-operation';

/** The page /new/<scenario>: from parameters over the plan to a running operation. */
export function ScenarioPage({ reference }: { readonly reference: string }) {
  const t = useTranslations('new');
  const locale = useLocale();
  const [{ data, error }, refetch] = useQuery({
    query: ScenarioQuery,
    variables: { ref: reference, locale },
  });
  const { hosts, environments, error: hostsError, refresh } = useHosts();
  const failed = error ?? hostsError;
  if (failed !== null && failed !== undefined && (data === undefined || hosts === null))
    return (
      <>
        <PageHeading title={t('title')} />
        <RequestState
          error={failed}
          onRetry={() => {
            refetch({ requestPolicy: 'network-only' });
            refresh();
          }}
        />
      </>
    );
  if (data === undefined || hosts === null)
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
      environments={environments}
      hosts={hosts}
      lab={data.serverInfo.lab}
    />
  );
}
