import { Code, Stack, Text, Title } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { durationRangeText } from '../kit/duration-range';
import { BindingList } from './binding-list';
import type { PreviewedJob, PreviewedPlan } from './documents';
import classes from './new.module.css';

/** The contract of one step: what it needs, what it gives and what must be seen before that counts. */
export function JobContract(props: {
  readonly plan: PreviewedPlan;
  readonly node: PreviewedPlan['nodes'][number];
}) {
  const { plan, node } = props;
  const t = useTranslations('new.contract');
  const locale = useLocale();
  const job = plan.jobs.find(({ id }) => id === node.job);
  const bindings = plan.bindings.filter(({ requirement }) => requirement.startsWith(`${node.key}/`));
  return (
    <Stack gap="sm" data-testid="job-contract">
      <div>
        <Title order={4} size="h5">
          {job?.title.text ?? node.key}
        </Title>
        {node.target !== null && (
          <Text size="sm" c="dimmed">
            {t('on', { host: node.target.replace(/^node\//, '') })}
          </Text>
        )}
      </div>
      {node.reason !== null && <Text size="sm">{node.reason.text}</Text>}
      {job !== undefined && (
        <dl className={classes.stacked}>
          <Names term={t('needs')} names={[...job.needs.capabilities, ...job.needs.artifacts]} />
          <Names term={t('gives')} names={[...job.gives.capabilities, ...job.gives.artifacts]} />
          <Names term={t('evidence')} names={job.gives.evidence} />
          <dt>{t('run')}</dt>
          <dd>{runWords(job, t)}</dd>
          <dt>{t('repeat')}</dt>
          <dd>{job.idempotent ? t('repeatable') : t('notRepeatable')}</dd>
          {job.estimate !== null && (
            <>
              <dt>{t('estimate')}</dt>
              <dd>{durationRangeText(job.estimate, locale)}</dd>
            </>
          )}
        </dl>
      )}
      {bindings.length > 0 && (
        <div>
          <Title order={5} size="h6" mb={4}>
            {t('why')}
          </Title>
          <BindingList bindings={bindings} plan={plan} short />
        </div>
      )}
    </Stack>
  );
}

function Names({ term, names }: { readonly term: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <>
      <dt>{term}</dt>
      <dd>
        {names.map((name) => (
          <div key={name}>
            <Code>{name}</Code>
          </div>
        ))}
      </dd>
    </>
  );
}

function runWords(job: PreviewedJob, t: ReturnType<typeof useTranslations<'new.contract'>>): string {
  const kind = `runs.${job.run ?? 'none'}` as 'runs.none';
  return t.has(kind) ? t(kind) : (job.run ?? '');
}
