import { useLocale, useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { type CombinedError, useMutation } from 'urql';
import { keysByInput } from '../api/idempotency-key';
import { Dialog } from '../kit/dialog';
import { AddHostForm, EMPTY_HOST, type HostDraft } from './add-host-form';
import { AddHostKeyStep } from './add-host-key-step';
import { AddHost, type EnvironmentData, ScanHostKey } from './documents';
import { type FingerprintAnswer, NO_ANSWER } from './fingerprint-check';
import { type HostFaults, hostFaults, NO_FAULTS } from './host-problems';

interface OfferedKey {
  readonly fingerprint: string;
  readonly keyType: string;
}

/** Adds a machine in two steps: how it is reached, and whether the key that it shows is really its own. */
export function AddHostDialog(props: {
  readonly opened: boolean;
  readonly environments: readonly EnvironmentData[];
  readonly onClose: () => void;
  readonly onAdded: () => void;
}) {
  const t = useTranslations('hosts.dialog');
  const { opened, environments, onClose, onAdded } = props;
  const steps = useAddHost(() => {
    onAdded();
    onClose();
  });
  const close = () => {
    // The private key is not kept a moment longer than the dialog.
    steps.forget();
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={steps.offered === null ? t('title') : t('compareTitle')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {steps.offered === null ? (
        <AddHostForm
          draft={steps.draft}
          environments={environments}
          faults={steps.faults}
          error={steps.error}
          busy={steps.busy}
          onChange={steps.change}
          onNext={() => void steps.scan()}
        />
      ) : (
        <AddHostKeyStep
          host={steps.draft.name}
          offered={steps.offered}
          answer={steps.answer}
          faults={steps.faults}
          error={steps.error}
          busy={steps.busy}
          onAnswer={steps.setAnswer}
          onBack={steps.back}
          onAdd={() => void steps.add()}
        />
      )}
    </Dialog>
  );
}

function useAddHost(onDone: () => void) {
  const locale = useLocale();
  const t = useTranslations('hosts.dialog');
  const keys = useRef({ scan: keysByInput(), add: keysByInput() });
  const [draft, setDraft] = useState<HostDraft>(EMPTY_HOST);
  const [offered, setOffered] = useState<OfferedKey | null>(null);
  const [answer, setAnswer] = useState<FingerprintAnswer>(NO_ANSWER);
  const [faults, setFaults] = useState<HostFaults>(NO_FAULTS);
  const [error, setError] = useState<CombinedError | null>(null);
  const [{ fetching: scanning }, scanHostKey] = useMutation(ScanHostKey);
  const [{ fetching: addingHost }, addHost] = useMutation(AddHost);

  const forget = () => {
    keys.current = { scan: keysByInput(), add: keysByInput() };
    setDraft(EMPTY_HOST);
    setOffered(null);
    setAnswer(NO_ANSWER);
    setFaults(NO_FAULTS);
    setError(null);
  };
  const scan = async () => {
    setFaults(NO_FAULTS);
    const { address, port } = draft;
    // A host may show another key the next time, so asking again is another request.
    const key = keys.current.scan({ address, port, at: Date.now() });
    const { data, error: failed } = await scanHostKey({
      address: address.trim(),
      port: Number(port),
      key,
      locale,
    });
    setError(failed ?? null);
    const result = data?.scanHostKey;
    if (result === undefined) return;
    if (result.__typename !== 'ScannedHostKey') return setFaults(hostFaults(result));
    setAnswer(NO_ANSWER);
    setOffered({ fingerprint: result.fingerprint, keyType: result.keyType });
  };
  const add = async () => {
    if (offered === null) return;
    setFaults(NO_FAULTS);
    const host = {
      name: draft.name.trim(),
      address: draft.address.trim(),
      port: Number(draft.port),
      user: draft.user.trim(),
      // A pasted key often lost its last line end, without which OpenSSH's own tools refuse it.
      privateKey: `${draft.privateKey.trimEnd()}\n`,
      environment: draft.environment.trim(),
      hostKeyFingerprint: offered.fingerprint,
    };
    const { data, error: failed } = await addHost({ host, key: keys.current.add(host), locale });
    setError(failed ?? null);
    const result = data?.addHosts;
    if (result === undefined) return;
    if (result.__typename === 'AddedHosts') {
      if (result.added.length === 0)
        return setFaults({
          fields: { name: t('known', { name: host.name }) },
          rest: [t('known', { name: host.name })],
        });
      forget();
      return onDone();
    }
    const found = hostFaults(result);
    setFaults(found);
    // Back to the fields, which show what is wrong with them.
    if (Object.keys(found.fields).length > 0) setOffered(null);
  };
  return {
    draft,
    offered,
    answer,
    faults,
    error,
    busy: scanning || addingHost,
    change: (change: Partial<HostDraft>) => setDraft((now) => ({ ...now, ...change })),
    setAnswer,
    scan,
    add,
    back: () => setOffered(null),
    forget,
  };
}
