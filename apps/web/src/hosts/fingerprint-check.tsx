import { Alert, Checkbox, Code, Stack, Text, Textarea } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { compareFingerprint, type FingerprintComparison } from './fingerprint';
import classes from './hosts.module.css';

/** What a person said about the fingerprint that was offered. */
export interface FingerprintAnswer {
  readonly pasted: string;
  /** It was compared in another way than by pasting. */
  readonly elsewhere: boolean;
}

export const NO_ANSWER: FingerprintAnswer = { pasted: '', elsewhere: false };

/** Whether the key may be believed: a pasted text that matches, or a deliberate word; never against a mismatch. */
export function isCompared(offered: string, { pasted, elsewhere }: FingerprintAnswer): boolean {
  const { kind } = compareFingerprint(offered, pasted);
  return kind === 'match' || (elsewhere && kind !== 'mismatch');
}

/** What the host's console says, pasted beside what the network offered: somebody in between cannot answer for both. */
export function FingerprintCheck(props: {
  readonly offered: string;
  readonly keyType: string;
  readonly answer: FingerprintAnswer;
  readonly onAnswer: (answer: FingerprintAnswer) => void;
}) {
  const { offered, keyType, answer, onAnswer } = props;
  const t = useTranslations('hosts.fingerprint');
  const comparison = compareFingerprint(offered, answer.pasted);
  const paste = useRef<HTMLTextAreaElement>(null);
  // The step came into an open dialog, whose own first focus is long past.
  useEffect(() => paste.current?.focus(), []);
  return (
    <Stack gap="sm">
      <div>
        <Text size="sm" fw={600} mb={4}>
          {t('offered', { type: keyType })}
        </Text>
        <code className={classes.fingerprint} data-testid="offered-fingerprint">
          {offered}
        </code>
      </div>
      <Text size="sm">{t.rich('how', { command: () => <Code>{commandFor(keyType)}</Code> })}</Text>
      <Textarea
        label={t('paste')}
        autosize
        minRows={2}
        maxRows={6}
        spellCheck={false}
        ref={paste}
        value={answer.pasted}
        onChange={(event) => onAnswer({ ...answer, pasted: event.currentTarget.value })}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <div aria-live="polite">
        <Verdict comparison={comparison} />
      </div>
      {comparison.kind !== 'match' && comparison.kind !== 'mismatch' && (
        <Checkbox
          label={t('elsewhere')}
          description={t('elsewhereMeans')}
          checked={answer.elsewhere}
          onChange={(event) => onAnswer({ ...answer, elsewhere: event.currentTarget.checked })}
        />
      )}
    </Stack>
  );
}

function Verdict({ comparison }: { readonly comparison: FingerprintComparison }) {
  const t = useTranslations('hosts.fingerprint');
  switch (comparison.kind) {
    case 'empty':
      return null;
    case 'match':
      return (
        <Alert
          color="green"
          variant="outline"
          title={t('match')}
          data-testid="fingerprint-verdict"
          data-verdict="match"
        >
          {t('matchMeans')}
        </Alert>
      );
    case 'mismatch':
      return (
        <Alert
          color="red"
          variant="outline"
          title={t('mismatch')}
          data-testid="fingerprint-verdict"
          data-verdict="mismatch"
        >
          {t('mismatchMeans', { pasted: comparison.pasted })}
        </Alert>
      );
    default:
      return (
        <Alert
          color="yellow"
          variant="outline"
          data-testid="fingerprint-verdict"
          data-verdict={comparison.kind}
        >
          {t(comparison.kind)}
        </Alert>
      );
  }
}

/** The file of the key that was offered: a host has one for each type. */
function commandFor(keyType: string): string {
  const name = /rsa/.test(keyType) ? 'rsa' : /ecdsa/.test(keyType) ? 'ecdsa' : 'ed25519';
  return `ssh-keygen -lf /etc/ssh/ssh_host_${name}_key.pub`;
}
