'use client';

import { Button } from '@mantine/core';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { ResultOf } from '../api/graphql';
import { PageHeading } from '../kit/page-heading';
import { RequestState } from '../kit/request-state';
import { EmptyState, LoadingState } from '../kit/states';
import { LARGEST_PAGE, useAllPages } from '../kit/use-all-pages';
import { type HostData, HostsQuery } from './documents';
import { HostCard } from './host-card';
import classes from './hosts.module.css';

// Their forms weigh more than the page, and come when somebody wants one.
const AddHostDialog = dynamic(() => import('./add-host-dialog').then((module) => module.AddHostDialog), {
  ssr: false,
});
const HostKeyDialog = dynamic(() => import('./host-key-dialog').then((module) => module.HostKeyDialog), {
  ssr: false,
});

const ALL = { first: LARGEST_PAGE };
const hostsOf = (data: ResultOf<typeof HostsQuery>) => data.hosts;

/** The page /hosts: what is known of each machine, and how another one is added. */
export function HostsPage() {
  const t = useTranslations('hosts');
  const { items: hosts, data, error, refresh } = useAllPages(HostsQuery, ALL, hostsOf);
  const [adding, setAdding] = useState(false);
  const [comparing, setComparing] = useState<HostData | null>(null);
  const add = (
    <Button onClick={() => setAdding(true)} data-testid="add-host">
      {t('add')}
    </Button>
  );
  return (
    <>
      <PageHeading title={t('title')} aside={add} />
      {error !== null && <RequestState error={error} onRetry={refresh} />}
      {hosts === null && error === null && <LoadingState />}
      {hosts?.length === 0 && <EmptyState title={t('empty.title')} text={t('empty.text')} action={add} />}
      {hosts !== null && hosts.length > 0 && (
        <ul className={classes.hosts} aria-label={t('title')} data-testid="hosts">
          {hosts.map((host) => (
            <li key={host.id}>
              <HostCard host={host} onCompare={() => setComparing(host)} />
            </li>
          ))}
        </ul>
      )}
      <AddHostDialog
        opened={adding}
        environments={data?.environments ?? []}
        onClose={() => setAdding(false)}
        onAdded={refresh}
      />
      <HostKeyDialog host={comparing} onClose={() => setComparing(null)} onAccepted={refresh} />
    </>
  );
}
