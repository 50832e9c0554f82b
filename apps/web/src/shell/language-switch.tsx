'use client';

import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { locales } from '../i18n/locale';
import { keepLocale } from './keep-locale';
import classes from './shell.module.css';

const names = { en: { short: 'EN', full: 'English' }, ru: { short: 'РУ', full: 'Русский' } };

/** Chooses the language; it is kept in a cookie, so that addresses can be shared between people [UX-X5]. */
export function LanguageSwitch() {
  const t = useTranslations('shell');
  const router = useRouter();
  const locale = useLocale();
  return (
    <div role="group" aria-label={t('language')} className={classes.group}>
      {locales.map((one) => (
        <button
          key={one}
          type="button"
          lang={one}
          className={classes.switch}
          aria-pressed={one === locale}
          aria-label={`${names[one].short}, ${names[one].full}`}
          onClick={() => {
            keepLocale(one);
            router.refresh();
          }}
        >
          {names[one].short}
        </button>
      ))}
    </div>
  );
}
