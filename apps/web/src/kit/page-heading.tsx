'use client';

import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePageTitle } from '../shell/attention';

/** The one h1 of a page, which also names the browser's tab; `aside` holds its main action. */
export function PageHeading({ title, aside }: { readonly title: string; readonly aside?: ReactNode }) {
  usePageTitle(title);
  return (
    <Group justify="space-between" mb="md">
      <Title order={1} size="h2">
        {title}
      </Title>
      {aside}
    </Group>
  );
}
