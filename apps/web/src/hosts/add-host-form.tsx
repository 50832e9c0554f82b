import { Alert, Autocomplete, Button, Group, NumberInput, Stack, Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { CombinedError } from 'urql';
import { RequestState } from '../kit/request-state';
import type { EnvironmentData } from './documents';
import type { HostFaults, HostField } from './host-problems';

/** A host as it is typed. The private key is held here only, and never shown again once the step is left. */
export interface HostDraft {
  readonly name: string;
  readonly address: string;
  readonly port: number | string;
  readonly user: string;
  readonly privateKey: string;
  readonly environment: string;
}

export const EMPTY_HOST: HostDraft = {
  name: '',
  address: '',
  port: 22,
  user: 'root',
  privateKey: '',
  environment: 'default',
};

/** The first step: how the machine is reached. */
export function AddHostForm(props: {
  readonly draft: HostDraft;
  readonly environments: readonly EnvironmentData[];
  readonly faults: HostFaults;
  readonly error: CombinedError | null;
  readonly busy: boolean;
  readonly onChange: (change: Partial<HostDraft>) => void;
  readonly onNext: () => void;
}) {
  const { draft, environments, faults, error, busy, onChange, onNext } = props;
  const t = useTranslations('hosts.dialog');
  const [judged, setJudged] = useState(false);
  // What was pasted before this step was left is kept and not shown.
  const [kept] = useState(draft.privateKey !== '');
  const [shownKey, setShownKey] = useState('');
  const missing = requiredFields.filter((field) => String(draft[field]).trim() === '');
  const fault = (field: HostField): string | undefined =>
    judged && missing.includes(field) ? t('required') : faults.fields[field];
  const name = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // After "back" the button that was pressed is gone. At first the focus is on what opened the dialog, which has to
    // remember it, so that it can go back there.
    if (document.activeElement === document.body) name.current?.focus();
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setJudged(true);
    const [first] = missing;
    if (first === undefined) onNext();
    else document.getElementById(`host-${first}`)?.focus();
  };
  const text = (field: 'name' | 'address' | 'user') => ({
    id: `host-${field}`,
    label: t(`field.${field}`),
    required: true,
    autoComplete: 'off',
    spellCheck: false,
    value: draft[field],
    error: fault(field),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ [field]: event.currentTarget.value }),
  });
  return (
    <form noValidate onSubmit={submit} data-testid="add-host-form">
      <Stack gap="md">
        <TextInput {...text('name')} description={t('nameHint')} ref={name} data-autofocus />
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <TextInput {...text('address')} style={{ flexGrow: 3 }} />
          <NumberInput
            id="host-port"
            label={t('field.port')}
            required
            hideControls
            allowDecimal={false}
            allowNegative={false}
            value={draft.port}
            error={fault('port')}
            onChange={(port) => onChange({ port })}
          />
        </Group>
        <TextInput {...text('user')} description={t('userHint')} />
        <Textarea
          id="host-privateKey"
          label={t('field.privateKey')}
          description={kept && shownKey === '' ? t('keyKept') : t('keyHint')}
          required={!kept}
          autosize
          minRows={3}
          maxRows={6}
          autoComplete="off"
          spellCheck={false}
          value={shownKey}
          error={fault('privateKey')}
          onChange={(event) => {
            setShownKey(event.currentTarget.value);
            onChange({ privateKey: event.currentTarget.value });
          }}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <Autocomplete
          id="host-environment"
          label={t('field.environment')}
          description={t('environmentHint')}
          required
          data={environments.filter(({ kind }) => kind !== 'lab').map(({ name }) => name)}
          value={draft.environment}
          error={fault('environment')}
          onChange={(environment) => onChange({ environment })}
        />
        {faults.rest.length > 0 && (
          <Alert role="alert" color="red" variant="outline" data-testid="host-problems">
            {faults.rest.map((words) => (
              <div key={words}>{words}</div>
            ))}
          </Alert>
        )}
        {error !== null && <RequestState error={error} />}
        <Group justify="flex-end">
          <Button type="submit" size="md" loading={busy} data-testid="scan">
            {t('scan')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const requiredFields: readonly HostField[] = ['name', 'address', 'port', 'user', 'privateKey', 'environment'];
