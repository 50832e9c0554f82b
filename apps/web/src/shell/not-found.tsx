'use client';

import { Button } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { EmptyState } from '../kit/states';
import { usePageTitle } from './attention';
import { Shell } from './shell';

/** The page of an address that leads nowhere. */
export function NotFound() {
  const t = useTranslations('shell');
  usePageTitle(t('state.notFound'));
  return (
    <Shell>
      <EmptyState
        title={t('state.notFound')}
        action={
          <Button component={Link} href="/operations" variant="default">
            {t('state.toOperations')}
          </Button>
        }
      />
    </Shell>
  );
}
