'use client';

import { SegmentedControl } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { locales } from '../i18n/locale';
import { keepLocale } from './keep-locale';

const names = { en: 'EN', ru: 'РУ' };

/** Chooses the language; it is kept in a cookie, so that addresses can be shared between people [UX-X5]. */
export function LanguageSwitch() {
  const t = useTranslations('shell');
  const router = useRouter();
  const locale = useLocale();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('language')}
      value={locale}
      data={locales.map((value) => ({ value, label: names[value] }))}
      onChange={(value) => {
        keepLocale(value);
        router.refresh();
      }}
    />
  );
}
