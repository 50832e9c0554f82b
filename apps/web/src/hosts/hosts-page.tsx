'use client';

import { useTranslations } from 'next-intl';
import { PageHeading } from '../kit/page-heading';

/** The page /hosts. */
export function HostsPage() {
  const t = useTranslations('shell');
  return <PageHeading title={t('nav.hosts')} />;
}
