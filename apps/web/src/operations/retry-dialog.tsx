import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { newIdempotencyKey } from '../api/idempotency-key';
import { Dialog } from '../kit/dialog';
import { RequestState } from '../kit/request-state';
import { RetryOperation } from './documents';

interface RetryDialogProps {
  readonly opened: boolean;
  readonly operation: string;
  readonly title: string;
  /** What trying again will do, in the server's words. */
  readonly effect: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Says what trying again will do before it is done. One dialog is one request, however often its button is pressed. */
export function RetryDialog({ opened, operation, title, effect, onClose, onDone }: RetryDialogProps) {
  const t = useTranslations('operations');
  const locale = useLocale();
  const [{ data, error, fetching }, retry] = useMutation(RetryOperation);
  const key = useRef('');
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (!opened) return;
    key.current = newIdempotencyKey();
    setAsked(false);
  }, [opened]);
  const result = asked ? data?.retryNode : undefined;
  const confirm = async () => {
    setAsked(true);
    const answer = await retry({ operation, key: key.current, locale });
    if (answer.data?.retryNode.__typename !== 'CommandAccepted') return;
    onDone();
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('retryTitle', { title })}
      centered
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <Text>{effect}</Text>
        {result !== undefined && 'text' in result && (
          <Alert color="red" variant="outline" role="alert">
            {result.text.text}
          </Alert>
        )}
        {asked && error !== undefined && <RequestState error={error} />}
        <Group justify="flex-end">
          <Button variant="default" size="md" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button size="md" loading={fetching} onClick={() => void confirm()} data-autofocus>
            {t('retry')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
