import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { CombinedError } from 'urql';
import { RequestState } from '../kit/request-state';
import { type FingerprintAnswer, FingerprintCheck, isCompared } from './fingerprint-check';
import type { HostFaults } from './host-problems';

/** The second step: is the key that was offered the key of that machine? */
export function AddHostKeyStep(props: {
  readonly host: string;
  readonly offered: { readonly fingerprint: string; readonly keyType: string };
  readonly answer: FingerprintAnswer;
  readonly faults: HostFaults;
  readonly error: CombinedError | null;
  readonly busy: boolean;
  readonly onAnswer: (answer: FingerprintAnswer) => void;
  readonly onBack: () => void;
  readonly onAdd: () => void;
}) {
  const { host, offered, answer, faults, error, busy } = props;
  const t = useTranslations('hosts.dialog');
  const compared = isCompared(offered.fingerprint, answer);
  return (
    <Stack gap="md" data-testid="compare-step">
      <Text size="sm">{t('compareWhy', { host })}</Text>
      <FingerprintCheck
        offered={offered.fingerprint}
        keyType={offered.keyType}
        answer={answer}
        onAnswer={props.onAnswer}
      />
      {faults.rest.length > 0 && (
        <Alert role="alert" color="red" variant="outline" data-testid="host-problems">
          {faults.rest.map((words) => (
            <div key={words}>{words}</div>
          ))}
        </Alert>
      )}
      {error !== null && <RequestState error={error} />}
      <Group justify="space-between">
        <Button variant="default" size="md" onClick={props.onBack}>
          {t('back')}
        </Button>
        <Button size="md" disabled={!compared} loading={busy} onClick={props.onAdd} data-testid="confirm-add">
          {t('add')}
        </Button>
      </Group>
    </Stack>
  );
}
