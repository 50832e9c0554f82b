'use client';

import { Badge, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import { useMemo, useState } from 'react';
import type { ResultOf } from '../api/graphql';
import { PageHeading } from '../kit/page-heading';
import { RequestState } from '../kit/request-state';
import { EmptyState, LoadingState } from '../kit/states';
import { LARGEST_PAGE, useAllPages } from '../kit/use-all-pages';
import { type ScenarioCardData, ScenariosQuery } from './documents';
import { findScenarios } from './find-scenarios';
import classes from './new.module.css';
import { RiskBadge } from './risk-badge';

/** Fewer can be seen at a glance. */
const SEARCH_FROM = 4;

const scenariosOf = (data: ResultOf<typeof ScenariosQuery>) => data.scenarios;

/** The page /new: choose what to have. */
export function NewPage() {
  const t = useTranslations('new');
  const locale = useLocale();
  const variables = useMemo(() => ({ first: LARGEST_PAGE, locale }), [locale]);
  const {
    items: scenarios,
    data,
    error,
    refresh: retry,
  } = useAllPages(ScenariosQuery, variables, scenariosOf);
  const lab = data?.serverInfo.lab ?? '';
  const [search, setSearch] = useState('');
  const found = findScenarios(scenarios ?? [], search);
  return (
    <>
      <PageHeading title={t('title')} />
      <Text c="dimmed" mb="lg">
        {t('lead')}
      </Text>
      {error !== null && <RequestState error={error} onRetry={retry} />}
      {scenarios === null && error === null && <LoadingState />}
      {scenarios?.length === 0 && <EmptyState title={t('none')} text={t('noneText')} />}
      {scenarios !== null && scenarios.length >= SEARCH_FROM && (
        <TextInput
          type="search"
          label={t('search')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          mb="md"
          maw={420}
        />
      )}
      <Text role="status" size="sm" c="dimmed" mb={search === '' ? 0 : 'sm'}>
        {search === '' ? '' : t('found', { count: found.length })}
      </Text>
      <ul className={classes.scenarios} aria-label={t('title')} data-testid="scenarios">
        {found.map((scenario) => (
          <li key={scenario.ref}>
            <ScenarioCard scenario={scenario} lab={lab} />
          </li>
        ))}
      </ul>
    </>
  );
}

function ScenarioCard({ scenario, lab }: { readonly scenario: ScenarioCardData; readonly lab: string }) {
  const t = useTranslations('new');
  return (
    <article className={classes.scenario} data-testid="scenario-card" data-scenario={scenario.ref}>
      <Stack gap="xs" h="100%">
        <Title order={2} size="h4">
          {/* The link covers the card, so that all of it can be pressed and only its name is read. */}
          <Link href={`/new/${encodeURIComponent(scenario.ref)}`} className={classes.cover}>
            {scenario.title.text}
          </Link>
        </Title>
        {scenario.summary !== null && <Text size="sm">{scenario.summary.text}</Text>}
        {lab === 'sandbox' && scenario.provides.includes('database.postgresql') && (
          <Text size="sm" fw={600} data-testid="real-postgresql">
            {t('realPostgres')}
          </Text>
        )}
        {scenario.provides.length > 0 && (
          <Group gap={6}>
            <Text size="sm" c="dimmed">
              {t('gives')}
            </Text>
            {scenario.provides.map((capability) => (
              <Badge key={capability} variant="default" tt="none" fw={500}>
                {capability}
              </Badge>
            ))}
          </Group>
        )}
        <Group gap="xs" mt="auto" pt="xs" justify="space-between">
          <RiskBadge risk={scenario.risk} />
          <Text size="xs" c="dimmed">
            {t('version', { pack: scenario.pack, version: scenario.version })}
          </Text>
        </Group>
      </Stack>
    </article>
  );
}
