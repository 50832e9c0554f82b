'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useAttention } from './attention';
import { ColorSchemeSwitch } from './color-scheme-switch';
import { LanguageSwitch } from './language-switch';
import classes from './shell.module.css';
import { SignOut } from './sign-out';
import { useWatchAttention } from './watch-attention';

const places = ['operations', 'new', 'hosts'] as const;

/**
 * The frame of every page behind the sign-in: skip links, header, navigation, and the page itself. Its own few rules of CSS:
 * what a component library has for this weighs as much as a screen.
 */
export function Shell({ children }: { readonly children: ReactNode }) {
  const t = useTranslations('shell');
  useWatchAttention();
  return (
    <div className={classes.frame}>
      <nav aria-label={t('skip.label')} className={classes.skip}>
        <a href="#main">{t('skip.main')}</a>
        <a href="#navigation">{t('skip.navigation')}</a>
      </nav>
      <header className={classes.header}>
        <Link href="/" className={classes.brand}>
          <Mark />
          Capstan
        </Link>
        <div className={classes.switches}>
          <LanguageSwitch />
          <ColorSchemeSwitch />
          <SignOut />
        </div>
      </header>
      <nav id="navigation" aria-label={t('nav.label')} tabIndex={-1} className={classes.navigation}>
        {places.map((place) => (
          <Place key={place} place={place} />
        ))}
      </nav>
      <main id="main" tabIndex={-1} className={classes.main}>
        {children}
      </main>
    </div>
  );
}

function Place({ place }: { readonly place: (typeof places)[number] }) {
  const t = useTranslations('shell');
  const { count } = useAttention();
  const href = `/${place}`;
  const path = usePathname();
  const active = path === href || path.startsWith(`${href}/`);
  return (
    <Link
      href={href}
      className={classes.place}
      aria-current={active ? 'page' : undefined}
      data-testid={`nav-${place}`}
    >
      {t(`nav.${place}`)}
      {place === 'operations' && count > 0 ? (
        <span className={classes.attention}>{t('nav.attention', { count })}</span>
      ) : null}
    </Link>
  );
}

function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M11 4h10v4h-2l2 12h4v4H7v-4h4l2-12h-2zM5 26h22v3H5z" fill="currentColor" />
    </svg>
  );
}
