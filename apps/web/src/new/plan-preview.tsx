import { Group, SegmentedControl, Stack, Tabs, Text, Title } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { type ReactNode, useMemo, useState } from 'react';
import { graphFromPlan } from '../graph/from-plan';
import type { Gesture } from '../graph/gesture';
import { PlanGraphCanvas } from '../graph/plan-graph';
import { PlanList } from '../graph/plan-list';
import { durationRangeText } from '../kit/duration-range';
import { BindingList } from './binding-list';
import type { PreviewedPlan } from './documents';
import type { IntentJson } from './intent';
import { IntentYaml } from './intent-yaml';
import { JobContract } from './job-contract';
import classes from './new.module.css';
import { ParameterTable } from './parameter-table';
import { RiskBadge } from './risk-badge';

/** Up to this many steps fit into a lower canvas. */
const SMALL = 12;

/** A plan before it runs: what it does where, as a graph and as a list, and why each provider was chosen [L7]. */
export function PlanPreview({ plan, intent }: { readonly plan: PreviewedPlan; readonly intent: IntentJson }) {
  const t = useTranslations('new.plan');
  return (
    <Stack gap="md" data-testid="plan-preview" data-plan-hash={plan.hash}>
      <PlanSummary plan={plan} />
      <PlanPicture plan={plan} />
      <Tabs defaultValue="why" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="why">{t('tab.why')}</Tabs.Tab>
          <Tabs.Tab value="parameters">{t('tab.parameters')}</Tabs.Tab>
          <Tabs.Tab value="file">{t('tab.file')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="why" pt="md">
          <BindingList bindings={plan.bindings} plan={plan} />
        </Tabs.Panel>
        <Tabs.Panel value="parameters" pt="md">
          <ParameterTable parameters={plan.parameters} />
        </Tabs.Panel>
        <Tabs.Panel value="file" pt="md">
          <IntentYaml intent={intent} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** What it makes, how much of it there is, where, and what can go wrong. */
function PlanSummary({ plan }: { readonly plan: PreviewedPlan }) {
  const t = useTranslations('new.plan');
  const locale = useLocale();
  const hosts = [...new Set(plan.nodes.flatMap(({ target }) => target?.replace(/^node\//, '') ?? []))];
  return (
    <section className={classes.section} aria-label={t('summary')}>
      <dl className={classes.summary}>
        <Fact term={t('field.result')}>
          <strong>{plan.resource}</strong>
        </Fact>
        <Fact term={t('field.steps')}>
          {t('steps', { steps: plan.nodes.length, stages: plan.stages.length })}
        </Fact>
        <Fact term={t('field.hosts')}>
          {t('hosts', { count: hosts.length })}: {hosts.slice(0, 12).join(', ')}
          {hosts.length > 12 && ', …'}
        </Fact>
        <Fact term={t('field.environment')}>{plan.environment}</Fact>
        <Fact term={t('field.risk')}>
          <RiskBadge risk={plan.risk} />
        </Fact>
        {plan.estimate !== null && (
          <Fact term={t('field.estimate')}>{durationRangeText(plan.estimate, locale)}</Fact>
        )}
      </dl>
    </section>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function PlanPicture({ plan }: { readonly plan: PreviewedPlan }) {
  const t = useTranslations('new.plan');
  const [view, setView] = useState<'graph' | 'list'>(() => (window.innerWidth < 640 ? 'list' : 'graph'));
  const [selection, setSelection] = useState<string | null>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const graph = useMemo(
    () =>
      graphFromPlan(
        {
          stages: plan.stages.map(({ id, title }) => ({ id, title: title.text })),
          jobs: plan.jobs.map(({ id, title }) => ({ id, title: title.text })),
          nodes: plan.nodes as never,
        },
        { open },
      ),
    [plan, open],
  );
  const onGesture = (gesture: Gesture) => {
    if (gesture.kind === 'select' || gesture.kind === 'open') setSelection(gesture.key);
    if (gesture.kind === 'toggle_stack')
      setOpen((now) => {
        const next = new Set(now);
        if (!next.delete(gesture.key)) next.add(gesture.key);
        return next;
      });
  };
  const node = plan.nodes.find(({ key }) => key === selection);
  return (
    <section aria-label={t('picture')}>
      <Group justify="space-between" mb="xs">
        <Title order={3} size="h4">
          {t('picture')}
        </Title>
        <SegmentedControl
          aria-label={t('view.label')}
          value={view}
          data={[
            { value: 'graph', label: t('view.graph') },
            { value: 'list', label: t('view.list') },
          ]}
          onChange={(value) => setView(value === 'list' ? 'list' : 'graph')}
        />
      </Group>
      <div className={classes.preview}>
        <div className={plan.nodes.length > SMALL ? classes.canvas : classes.smallCanvas}>
          {view === 'graph' ? (
            <PlanGraphCanvas graph={graph} mode="plan" selection={selection} onGesture={onGesture} />
          ) : (
            <PlanList graph={graph} selection={selection} onGesture={onGesture} />
          )}
        </div>
        <aside className={classes.section} aria-label={t('contract')} aria-live="polite">
          {node === undefined ? (
            <Text size="sm" c="dimmed">
              {t('selectNode')}
            </Text>
          ) : (
            <JobContract plan={plan} node={node} />
          )}
        </aside>
      </div>
    </section>
  );
}
