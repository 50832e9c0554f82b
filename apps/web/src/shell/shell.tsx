'use client';

import { AppShell, Burger, Group, NavLink, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useAttention } from './attention';
import { ColorSchemeSwitch } from './color-scheme-switch';
import { LanguageSwitch } from './language-switch';
import classes from './shell.module.css';
import { SignOut } from './sign-out';

const places = ['operations', 'new', 'hosts'] as const;

/** The frame of every page behind the sign-in: skip links, header, navigation, and the page itself. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const t = useTranslations('shell');
  const [opened, { toggle, close }] = useDisclosure(false);
  return (
    <>
      <nav aria-label={t('skip.label')} className={classes.skip}>
        <a href="#main">{t('skip.main')}</a>
        <a href="#navigation">{t('skip.navigation')}</a>
      </nav>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !opened } }}
        padding="md"
        transitionDuration={0}
      >
        <AppShell.Header component="header">
          <Group h="100%" px="md" justify="space-between" wrap="nowrap">
            <Group gap="sm" wrap="nowrap">
              <Burger
                opened={opened}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={opened ? t('nav.close') : t('nav.open')}
                aria-expanded={opened}
                aria-controls="navigation"
              />
              <Link href="/" className={classes.brand}>
                <Mark />
                <Text component="span" fw={700} fz="lg">
                  Capstan
                </Text>
              </Link>
            </Group>
            <Group gap="xs" wrap="nowrap">
              <LanguageSwitch />
              <ColorSchemeSwitch />
              <SignOut />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar id="navigation" p="sm" component="nav" aria-label={t('nav.label')} tabIndex={-1}>
          {places.map((place) => (
            <Place key={place} place={place} onFollow={close} />
          ))}
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
          {children}
        </AppShell.Main>
      </AppShell>
    </>
  );
}

function Place(props: { readonly place: (typeof places)[number]; readonly onFollow: () => void }) {
  const t = useTranslations('shell');
  const { count } = useAttention();
  const href = `/${props.place}`;
  const path = usePathname();
  const active = path === href || path.startsWith(`${href}/`);
  const needs = props.place === 'operations' && count > 0;
  return (
    <NavLink
      component={Link}
      href={href}
      label={t(`nav.${props.place}`)}
      description={needs ? t('nav.attention', { count }) : undefined}
      active={active}
      aria-current={active ? 'page' : undefined}
      onClick={props.onFollow}
      data-testid={`nav-${props.place}`}
    />
  );
}

function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M11 4h10v4h-2l2 12h4v4H7v-4h4l2-12h-2zM5 26h22v3H5z" fill="currentColor" />
    </svg>
  );
}
