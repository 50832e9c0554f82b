'use client';

import { useMantineColorScheme } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import classes from './shell.module.css';

const next = { light: 'dark', dark: 'auto', auto: 'light' } as const;

/** Goes round: light, dark, as the system has it. Its name says what is on now. */
export function ColorSchemeSwitch() {
  const t = useTranslations('shell');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // What was chosen is known in the browser only: the first render must be the server's.
  const [mounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  const shown = mounted ? colorScheme : 'auto';
  const name = `${t('scheme.label')}: ${t(`scheme.${shown}`)}`;
  return (
    <button
      type="button"
      className={classes.switch}
      aria-label={name}
      title={name}
      data-testid="color-scheme"
      onClick={() => setColorScheme(next[colorScheme])}
    >
      <svg width="18" height="18" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        {shown === 'dark' ? (
          <path d="M20 14A8.5 8.5 0 0 1 10 4a8.5 8.5 0 1 0 10 10z" fill="currentColor" />
        ) : (
          <circle cx="12" cy="12" r="8" fill="none" stroke="currentColor" strokeWidth="2" />
        )}
        {shown === 'auto' ? <path d="M12 4a8 8 0 0 0 0 16z" fill="currentColor" /> : null}
      </svg>
    </button>
  );
}
