'use client';

import { useTranslations } from 'next-intl';
import { PageHeading } from '../kit/page-heading';

/** The page /new. */
export function NewPage() {
  const t = useTranslations('shell');
  return <PageHeading title={t('nav.new')} />;
}
