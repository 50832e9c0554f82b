'use client';

import { Anchor, Group, Text } from '@mantine/core';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { PageHeading } from '../kit/page-heading';
import { LoadingState } from '../kit/states';
import { fieldId, type ProblemPlace } from './problem-place';
import { RiskBadge } from './risk-badge';
import { ScenarioForm } from './scenario-form';
import { type NewOperationInput, useNewOperation } from './use-new-operation';

/** The canvas comes with the plan, not with the form. */
const PlanStep = dynamic(() => import('./plan-step').then((module) => module.PlanStep), {
  ssr: false,
  loading: () => <LoadingState lines={6} />,
});

/** A new operation in two steps, what is wanted and the plan for it; the step stands in the URL, so "back" is the browser's. */
export function NewOperation(props: NewOperationInput & { readonly lab: string }) {
  const t = useTranslations('new');
  const { scenario, lab } = props;
  const state = useNewOperation(props);
  const router = useRouter();
  const path = usePathname();
  const step = useSearchParams().get('step') === 'plan' ? 'plan' : 'form';
  const [focus, setFocus] = useState<string | null>(null);
  const correct = (place: ProblemPlace) => {
    setFocus(fieldId(place));
    router.push(path);
  };
  return (
    <>
      <Anchor component={Link} href="/new" size="sm" underline="always">
        {t('backToScenarios')}
      </Anchor>
      <PageHeading title={scenario.title.text} aside={<RiskBadge risk={scenario.risk} />} />
      <Group gap="xs" mb="md">
        {scenario.summary !== null && <Text c="dimmed">{scenario.summary.text}</Text>}
        {lab === 'sandbox' && scenario.provides.includes('database.postgresql') && (
          <Text size="sm" fw={600}>
            {t('realPostgres')}
          </Text>
        )}
      </Group>
      {step === 'form' ? (
        <ScenarioForm
          scenario={scenario}
          environments={props.environments}
          state={state}
          focus={focus}
          onNext={() => {
            setFocus(null);
            router.push(`${path}?step=plan`);
          }}
        />
      ) : (
        <PlanStep
          scenario={scenario}
          intent={state.intent}
          params={state.params}
          onBack={() => router.push(path)}
          onCorrect={correct}
        />
      )}
    </>
  );
}
