'use client';

import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { useTranslations } from 'next-intl';

const schemes = ['light', 'dark', 'auto'] as const;

/** Light, dark, or as the system has it. */
export function ColorSchemeSwitch() {
  const t = useTranslations('shell');
  const { setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t('scheme.label')}>
          <svg width="18" height="18" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path
              d="M12 3a9 9 0 1 0 0 18zm0 0a9 9 0 0 1 0 18"
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
            />
            <path d="M12 3a9 9 0 0 0 0 18z" fill="currentColor" />
          </svg>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map((scheme) => (
          <Menu.Item key={scheme} onClick={() => setColorScheme(scheme)}>
            {t(`scheme.${scheme}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
