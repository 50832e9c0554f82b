'use client';

import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { useMutation } from 'urql';
import { RequestState } from '../kit/request-state';
import { LoadingState } from '../kit/states';
import { type PreviewedPlan, type ScenarioData, StartOperation } from './documents';
import { dropDraft } from './draft';
import type { ParamsSchema } from './form/params-schema';
import type { IntentJson } from './intent';
import classes from './new.module.css';
import { PlanPreview } from './plan-preview';
import { ProblemList } from './problem-list';
import type { ProblemPlace } from './problem-place';
import { usePreview } from './use-preview';

export interface PlanStepProps {
  readonly scenario: ScenarioData;
  readonly intent: IntentJson;
  readonly params: ParamsSchema;
  readonly onBack: () => void;
  readonly onCorrect: (place: ProblemPlace) => void;
}

/** The second step: the plan, why each part of it is there, and the one button that begins it. */
export function PlanStep({ scenario, intent, params, onBack, onCorrect }: PlanStepProps) {
  const t = useTranslations('new.plan');
  const { preview, again } = usePreview(intent);
  const heading = useRef<HTMLHeadingElement>(null);
  // A step is a new page to somebody who does not see it.
  useEffect(() => heading.current?.focus(), []);
  return (
    <Stack gap="md">
      <Title order={2} size="h3" ref={heading} tabIndex={-1} className={classes.heading}>
        {t('title')}
      </Title>
      {preview.kind === 'asking' && <LoadingState lines={6} />}
      {preview.kind === 'failed' && <RequestState error={preview.error} onRetry={again} />}
      {preview.kind === 'refused' && (
        <ProblemList problem={preview.problem} params={params} onCorrect={onCorrect} />
      )}
      {preview.kind === 'plan' && <PlanPreview plan={preview.plan} intent={intent} />}
      {preview.kind === 'plan' ? (
        <StartBar
          plan={preview.plan}
          idempotencyKey={preview.key}
          scenario={scenario.ref}
          intent={intent}
          params={params}
          onBack={onBack}
          onCorrect={onCorrect}
        />
      ) : (
        <Group>
          <Button variant="default" size="md" onClick={onBack} data-testid="back">
            {t('back')}
          </Button>
          {preview.kind === 'refused' && (
            <Button variant="default" size="md" onClick={again}>
              {t('again')}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}

function StartBar(props: {
  readonly plan: PreviewedPlan;
  readonly idempotencyKey: string;
  readonly scenario: string;
  readonly intent: IntentJson;
  readonly params: ParamsSchema;
  readonly onBack: () => void;
  readonly onCorrect: (place: ProblemPlace) => void;
}) {
  const t = useTranslations('new.plan');
  const locale = useLocale();
  const router = useRouter();
  const [{ data, error, fetching }, start] = useMutation(StartOperation);
  const result = data?.startOperation;
  const begin = async () => {
    const answer = await start({ intent: { ...props.intent } as never, key: props.idempotencyKey, locale });
    const started = answer.data?.startOperation;
    if (started?.__typename !== 'StartedOperation') return;
    dropDraft(sessionStorage, props.scenario);
    // Not beside the plan: it has become the operation, and "back" leads to a new form.
    router.replace(`/operations/${started.operation.number}`);
  };
  return (
    <Stack gap="sm" className={classes.actions}>
      {error !== undefined && <RequestState error={error} onRetry={() => void begin()} />}
      {result !== undefined && result.__typename !== 'StartedOperation' && (
        <ProblemList problem={result} params={props.params} onCorrect={props.onCorrect} />
      )}
      <Group justify="space-between">
        <Group>
          <Button size="md" loading={fetching} onClick={() => void begin()} data-testid="start">
            {t('start')}
          </Button>
          <Button variant="default" size="md" onClick={props.onBack} data-testid="back">
            {t('back')}
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          {t('nothingYet')}
        </Text>
      </Group>
    </Stack>
  );
}
