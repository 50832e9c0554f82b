'use client';

import { Alert, Button, Group, Text } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { useMutation } from 'urql';
import { newIdempotencyKey } from '../api/idempotency-key';
import { Dialog } from '../kit/dialog';
import type { ActionRow } from '../live/operation-frame';
import { cancelMutation, retryMutation } from './documents';
import { useOperation } from './operation-context';

interface ConfirmActionProps {
  readonly action: ActionRow;
  readonly nodeKey: string | null;
  readonly onClose: () => void;
}

/** Says what an order will do – hosts and counts are the server's words – and gives it once [UX-R13]. */
export function ConfirmAction({ action, nodeKey, onClose }: ConfirmActionProps) {
  const words = useTranslations('operation');
  const { give, problem, busy } = useOrder(action, nodeKey, onClose);
  const cancel = action.verb === 'cancel';
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words(cancel ? 'confirm.cancelTitle' : 'confirm.retryTitle')}
      centered
      closeButtonProps={{ 'aria-label': words('close') }}
    >
      <Text size="sm" data-testid="action-effect">
        {action.effect}
      </Text>
      {problem === null ? null : (
        <Alert color="red" variant="outline" mt="md" role="alert">
          {problem}
        </Alert>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {words('confirm.back')}
        </Button>
        <Button
          {...(cancel ? { color: 'red.9' } : {})}
          loading={busy}
          onClick={give}
          data-autofocus
          data-testid="confirm"
        >
          {words(cancel ? 'confirm.cancel' : 'confirm.retry')}
        </Button>
      </Group>
    </Dialog>
  );
}

function useOrder(action: ActionRow, nodeKey: string | null, onDone: () => void) {
  const words = useTranslations('operation');
  const locale = useLocale();
  const { operation } = useOperation();
  const [, cancel] = useMutation(cancelMutation);
  const [, retry] = useMutation(retryMutation);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // One key for this dialog: a second click or a lost answer is the same order.
  const [key] = useState(newIdempotencyKey);

  const give = async () => {
    setBusy(true);
    const { data, error } =
      action.verb === 'cancel'
        ? await cancel({ input: { cancel: { idempotencyKey: key, operation: operation.id } }, locale })
        : await retry({ input: { idempotencyKey: key, operation: operation.id, nodeKey }, locale });
    setBusy(false);
    const result =
      data === undefined ? undefined : 'controlOperation' in data ? data.controlOperation : data.retryNode;
    if (result?.__typename === 'CommandAccepted') return onDone();
    setProblem(
      result !== undefined && 'text' in result ? result.text.text : (error?.message ?? words('noAnswer')),
    );
  };
  return { give, problem, busy };
}
