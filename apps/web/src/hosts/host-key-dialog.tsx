import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { keysByInput, newIdempotencyKey } from '../api/idempotency-key';
import { Dialog } from '../kit/dialog';
import { RequestState } from '../kit/request-state';
import { LoadingState } from '../kit/states';
import { AcceptHostKey, type HostData, ScanHostKey } from './documents';
import { type FingerprintAnswer, FingerprintCheck, isCompared, NO_ANSWER } from './fingerprint-check';
import classes from './hosts.module.css';

/** Asks a known host for its key and shows it beside the pinned one; another key is believed only after a comparison. */
export function HostKeyDialog(props: {
  readonly host: HostData | null;
  readonly onClose: () => void;
  readonly onAccepted: () => void;
}) {
  const { host, onClose, onAccepted } = props;
  const t = useTranslations('hosts.key');
  return (
    <Dialog
      opened={host !== null}
      onClose={onClose}
      title={t('title', { host: host?.name ?? '' })}
      size="lg"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {host !== null && (
        <Comparison
          key={host.id}
          host={host}
          onClose={onClose}
          onAccepted={() => {
            onAccepted();
            onClose();
          }}
        />
      )}
    </Dialog>
  );
}

function Comparison(props: {
  readonly host: HostData;
  readonly onClose: () => void;
  readonly onAccepted: () => void;
}) {
  const { host, onClose, onAccepted } = props;
  const t = useTranslations('hosts.key');
  const locale = useLocale();
  const [{ data, error, fetching }, scan] = useMutation(ScanHostKey);
  const { address, port } = host;
  useEffect(() => {
    void scan({ address, port, key: newIdempotencyKey(), locale });
  }, [scan, address, port, locale]);
  const result = data?.scanHostKey;
  if (error !== undefined) return <RequestState error={error} />;
  if (result === undefined || fetching) return <LoadingState lines={2} />;
  if (result.__typename !== 'ScannedHostKey')
    return (
      <Alert role="alert" color="red" variant="outline">
        {result.text.text}
      </Alert>
    );
  if (result.fingerprint === host.hostKeyFingerprint)
    return (
      <Stack>
        <Alert color="green" variant="outline" role="status" title={t('same')} data-testid="same-key">
          {t('sameMeans')}
        </Alert>
        <code className={classes.fingerprint}>{result.fingerprint}</code>
        <Group justify="flex-end">
          <Button variant="default" size="md" onClick={onClose}>
            {t('close')}
          </Button>
        </Group>
      </Stack>
    );
  return <ChangedKey host={host} offered={result} onAccepted={onAccepted} />;
}

function ChangedKey(props: {
  readonly host: HostData;
  readonly offered: { readonly fingerprint: string; readonly keyType: string };
  readonly onAccepted: () => void;
}) {
  const { host, offered, onAccepted } = props;
  const t = useTranslations('hosts.key');
  const locale = useLocale();
  const keys = useRef(keysByInput());
  const [answer, setAnswer] = useState<FingerprintAnswer>(NO_ANSWER);
  const [{ data, error, fetching }, accept] = useMutation(AcceptHostKey);
  const result = data?.acceptHostKey;
  const confirm = async () => {
    const wanted = { name: host.name, fingerprint: offered.fingerprint };
    const done = await accept({ ...wanted, key: keys.current(wanted), locale });
    if (done.data?.acceptHostKey.__typename === 'AcceptedHostKey') onAccepted();
  };
  return (
    <Stack gap="md" data-testid="changed-key">
      <Alert color="orange" variant="outline" role="alert" title={t('changed')}>
        {t('changedMeans')}
      </Alert>
      <div>
        <Text size="sm" fw={600} mb={4}>
          {t('pinned')}
        </Text>
        <code className={classes.fingerprint}>{host.hostKeyFingerprint ?? t('none')}</code>
      </div>
      <FingerprintCheck
        offered={offered.fingerprint}
        keyType={offered.keyType}
        answer={answer}
        onAnswer={setAnswer}
      />
      <Text size="sm">{t('consequence', { host: host.name })}</Text>
      {result !== undefined && 'text' in result && (
        <Alert role="alert" color="red" variant="outline">
          {result.text.text}
        </Alert>
      )}
      {error !== undefined && <RequestState error={error} />}
      <Group justify="flex-end">
        <Button
          size="md"
          color="orange"
          disabled={!isCompared(offered.fingerprint, answer)}
          loading={fetching}
          onClick={() => void confirm()}
          data-testid="accept-key"
        >
          {t('accept')}
        </Button>
      </Group>
    </Stack>
  );
}
