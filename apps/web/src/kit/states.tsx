'use client';

import { Alert, Button, Group, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';

/** What a list shows that has nothing in it: a sentence that says why, and what to do about it. */
export function EmptyState(props: {
  readonly title: string;
  readonly text?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <Stack align="center" gap="xs" py="xl" data-testid="empty-state">
      <Title order={2} size="h4" ta="center">
        {props.title}
      </Title>
      {props.text === undefined ? null : (
        <Text c="dimmed" ta="center" maw={520}>
          {props.text}
        </Text>
      )}
      {props.action}
    </Stack>
  );
}

/** A sentence of what went wrong, announced, with a way to try again. */
export function ErrorState(props: {
  readonly title?: string;
  readonly text: ReactNode;
  readonly onRetry?: () => void;
}) {
  const t = useTranslations('shell');
  return (
    <Alert
      role="alert"
      color="red"
      variant="outline"
      title={props.title ?? t('state.error')}
      data-testid="error-state"
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{props.text}</Text>
        {props.onRetry === undefined ? null : (
          <Button size="xs" variant="default" onClick={props.onRetry}>
            {t('state.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** Grey lines, after 300 ms: what answers sooner does not flicker [UX-S10]. */
export function LoadingState({ lines = 3 }: { readonly lines?: number }) {
  const t = useTranslations('shell');
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Stack gap="sm" aria-busy="true" data-testid="loading-state" mih={lines * 56}>
      <VisuallyHidden role="status">{shown ? t('state.loading') : ''}</VisuallyHidden>
      {shown
        ? Array.from({ length: lines }, (_, line) => line).map((line) => <Skeleton key={line} height={44} />)
        : null}
    </Stack>
  );
}

/** The server cannot be reached from here; what is shown may be old. */
export function OfflineState({ onRetry }: { readonly onRetry?: () => void }) {
  const t = useTranslations('shell');
  return (
    <Alert
      role="status"
      color="yellow"
      variant="outline"
      title={t('state.offline')}
      data-testid="offline-state"
    >
      <Group justify="space-between">
        <Text size="sm">{t('state.offlineText')}</Text>
        {onRetry === undefined ? null : (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('state.retry')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

/** There is something here that this person may not do or see, and who can change that. */
export function NoPermission({ text }: { readonly text?: ReactNode }) {
  const t = useTranslations('shell');
  return (
    <Alert
      role="status"
      color="gray"
      variant="outline"
      title={t('state.noPermission')}
      data-testid="no-permission"
    >
      <Text size="sm">{text ?? t('state.noPermissionText')}</Text>
    </Alert>
  );
}
