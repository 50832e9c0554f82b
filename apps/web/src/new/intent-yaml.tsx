import { Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { CopyText } from './copy-text';
import type { IntentJson } from './intent';
import classes from './new.module.css';

/** The same intent as a file for the command line. */
export function IntentYaml({ intent }: { readonly intent: IntentJson }) {
  const t = useTranslations('new.yaml');
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    // Its own chunk: most people never look at the file.
    void import('yaml').then(({ stringify }) => {
      if (current) setText(stringify(intent, { lineWidth: 0 }));
    });
    return () => {
      current = false;
    };
  }, [intent]);
  if (text === null) return <Skeleton height={120} />;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm">
          {t.rich('how', { command: () => <Code>npx capstan apply -f intent.yaml</Code> })}
        </Text>
        <CopyText text={text} />
      </Group>
      <pre className={classes.code} tabIndex={0} data-testid="intent-yaml">
        {text}
      </pre>
    </Stack>
  );
}
