'use client';

import { Alert, Button, Code, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { usePageTitle } from '../shell/attention';
import { readFragment } from './fragment';
import { type SignInOutcome, sendCode } from './send-code';

/** Takes the one-time code from the link's fragment, which no server or Referer ever saw, or from the person. */
export function SignIn() {
  const t = useTranslations('shell');
  usePageTitle(t('signIn.title'));
  const [code, setCode] = useState('');
  const [state, setState] = useState<'asking' | 'sending' | Exclude<SignInOutcome, 'signed_in'>>('asking');
  const returnTo = useRef('/');
  const submit = async (value: string): Promise<void> => {
    setState('sending');
    const outcome = await sendCode(value);
    if (outcome === 'signed_in') location.replace(returnTo.current);
    else setState(outcome);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the fragment that the link brought
  useEffect(() => {
    const fragment = readFragment(location.hash);
    returnTo.current = fragment.returnTo;
    if (fragment.code === '') return;
    history.replaceState(null, '', '/sign-in');
    void submit(fragment.code);
  }, []);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void submit(code.trim());
  };
  const busy = state === 'sending';
  return (
    <Paper withBorder p="xl" maw={460} mx="auto" mt="10vh" component="main" id="main">
      <Stack component="form" {...{ onSubmit }}>
        <Title order={1} size="h2">
          {t('signIn.title')}
        </Title>
        {state === 'asking' || busy ? null : (
          <Alert role="alert" color="red" variant="outline" data-testid="sign-in-problem">
            {t(`signIn.${state}`)}
          </Alert>
        )}
        <Text size="sm">{t('signIn.how')}</Text>
        <Code block>npx capstan sign-in</Code>
        <TextInput
          label={t('signIn.code')}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          autoComplete="one-time-code"
          spellCheck={false}
          required
        />
        <Button type="submit" loading={busy} size="md">
          {t('signIn.do')}
        </Button>
      </Stack>
    </Paper>
  );
}
