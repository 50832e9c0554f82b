'use client';

import { Alert, Button, Group, Text } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { newIdempotencyKey } from '../api/idempotency-key';
import { Dialog } from '../kit/dialog';
import { copyText } from './copy-text';
import { revealMutation } from './documents';
import styles from './operation.module.css';

/** A value left on a screen is read by whoever passes by. */
const HIDE_AFTER_MS = 60_000;

/** A secret behind dots. Reading it is confirmed, audited by the server, and kept by nothing but this component. */
export function RevealButton({ name, owner }: { name: string; owner: string }) {
  const words = useTranslations('operation');
  const [asked, setAsked] = useState(false);
  const [value, setValue] = useState<string | null>(null);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (value === null) return;
    const timer = setTimeout(() => setValue(null), HIDE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [value]);

  if (value !== null)
    return (
      <div className={styles.secret}>
        <output className={styles.value} data-testid="revealed-value">
          {value}
        </output>
        <Button size="xs" variant="default" onClick={async () => setCopied(await copyText(value))}>
          {copied ? words('copied') : words('copy')}
        </Button>
        <Button size="xs" variant="default" onClick={() => setValue(null)}>
          {words('artifacts.hide')}
        </Button>
      </div>
    );
  return (
    <div className={styles.secret}>
      <span className={styles.dots} aria-hidden="true">
        ••••••••••••
      </span>
      <Button size="xs" variant="default" onClick={() => setAsked(true)} data-testid={`reveal-${name}`}>
        {words('artifacts.reveal')}
      </Button>
      {asked ? (
        <ConfirmReveal
          name={name}
          owner={owner}
          onClose={() => setAsked(false)}
          onValue={(revealed) => {
            setAsked(false);
            setCopied(false);
            setValue(revealed);
          }}
        />
      ) : null}
    </div>
  );
}

function ConfirmReveal(props: {
  readonly name: string;
  readonly owner: string;
  readonly onClose: () => void;
  readonly onValue: (value: string) => void;
}) {
  const words = useTranslations('operation');
  const locale = useLocale();
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const reveal = async () => {
    setBusy(true);
    // The client's cache keeps queries, never the answer of a mutation: the value lives in this page's state alone.
    const { data, error } = await client
      .mutation(revealMutation, {
        input: { idempotencyKey: newIdempotencyKey(), name: props.name, resource: props.owner },
        locale,
      })
      .toPromise();
    setBusy(false);
    const result = data?.revealArtifact;
    if (result?.__typename === 'RevealedArtifact') return props.onValue(result.value ?? result.base64);
    setProblem(
      result !== undefined && 'text' in result ? result.text.text : (error?.message ?? words('noAnswer')),
    );
  };
  return (
    <Dialog
      opened
      onClose={props.onClose}
      title={words('artifacts.revealTitle', { name: props.name })}
      centered
      closeButtonProps={{ 'aria-label': words('close') }}
    >
      <Text size="sm">{words('artifacts.audited')}</Text>
      {problem === null ? null : (
        <Alert color="red" variant="outline" mt="md" role="alert">
          {problem}
        </Alert>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={props.onClose}>
          {words('confirm.back')}
        </Button>
        <Button loading={busy} onClick={reveal} data-autofocus data-testid="confirm-reveal">
          {words('artifacts.reveal')}
        </Button>
      </Group>
    </Dialog>
  );
}
