'use client';

import { Button, Card, Code, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { PageHeading } from '../kit/page-heading';

/** The first page after sign-in: three things to try, each one click or one command away. */
export function Home() {
  const t = useTranslations('shell');
  return (
    <>
      <PageHeading title={t('home.title')} />
      <Text c="dimmed" mb="lg">
        {t('home.lead')}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
        <Step title={t('home.try.title')} text={t('home.try.text')} testid="try-postgresql">
          <Button component={Link} href="/new" fullWidth>
            {t('home.try.action')}
          </Button>
        </Step>
        <Step title={t('home.host.title')} text={t('home.host.text')} testid="try-host">
          <Button component={Link} href="/hosts" variant="default" fullWidth>
            {t('home.host.action')}
          </Button>
        </Step>
        <Step title={t('home.cli.title')} text={t('home.cli.text')} testid="try-cli">
          <Code block>npx capstan get operations</Code>
        </Step>
      </SimpleGrid>
    </>
  );
}

function Step(props: {
  readonly title: string;
  readonly text: string;
  readonly testid: string;
  readonly children: React.ReactNode;
}) {
  return (
    <Card withBorder data-testid={props.testid}>
      <Stack justify="space-between" h="100%">
        <div>
          <Title order={2} size="h4" mb="xs">
            {props.title}
          </Title>
          <Text size="sm">{props.text}</Text>
        </div>
        {props.children}
      </Stack>
    </Card>
  );
}
