import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useMemo, useState } from 'react';
import type { PreviewedBinding, PreviewedPlan } from './documents';
import { type BindingGroup, groupedBindings } from './grouped-bindings';
import classes from './new.module.css';

const SHOWN = 8;
const STEPS = 6;

/** Each requirement with its provider and why: the one that was taken, and those that were refused [L7]. */
export function BindingList(props: {
  readonly bindings: readonly PreviewedBinding[];
  readonly plan: PreviewedPlan;
  /** Beside the step itself: its own name need not be told again. */
  readonly short?: boolean;
}) {
  const { bindings, plan, short = false } = props;
  const t = useTranslations('new.bindings');
  const [all, setAll] = useState(false);
  const groups = useMemo(() => groupedBindings(bindings, plan.nodes), [bindings, plan]);
  const shown = all ? groups : groups.slice(0, SHOWN);
  if (bindings.length === 0) return <Text size="sm">{t('none')}</Text>;
  return (
    <Stack gap={0} data-testid="bindings">
      {shown.map((group) => (
        <BindingRow key={group.key} group={group} plan={plan} short={short} />
      ))}
      {shown.length < groups.length && (
        <Button
          variant="default"
          size="sm"
          mt="xs"
          onClick={() => setAll(true)}
          style={{ alignSelf: 'start' }}
        >
          {t('showAll', { count: groups.length })}
        </Button>
      )}
    </Stack>
  );
}

function BindingRow(props: {
  readonly group: BindingGroup;
  readonly plan: PreviewedPlan;
  readonly short: boolean;
}) {
  const { group, plan, short } = props;
  const { binding, name, steps } = group;
  const t = useTranslations('new.bindings');
  const refused = binding.candidates.filter(({ taken }) => !taken);
  const kind = `kind.${binding.kind}` as 'kind.fact';
  return (
    <div className={classes.binding} data-binding={binding.requirement}>
      <Group gap={8}>
        <Code>{name}</Code>
        <Text size="sm" component="span" aria-hidden>
          ←
        </Text>
        <Text size="sm" component="span" fw={600}>
          {providerName(binding.provider, plan)}
        </Text>
        <Badge variant="default" tt="none" fw={500}>
          {t.has(kind) ? t(kind) : binding.kind}
        </Badge>
      </Group>
      {!short && steps.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('for', {
            step: steps
              .slice(0, STEPS)
              .map((key) => providerName(key, plan))
              .join(', '),
          })}
          {steps.length > STEPS && ` ${t('more', { count: steps.length - STEPS })}`}
        </Text>
      )}
      <Text size="sm">{binding.reason.text}</Text>
      {refused.length > 0 && (
        <details>
          <summary>
            <Text size="sm" component="span" c="dimmed">
              {t('refused', { count: refused.length + binding.moreCount })}
            </Text>
          </summary>
          <ul className={classes.candidates}>
            {refused.map((candidate) => (
              <li key={candidate.provider}>
                <strong>{providerName(candidate.provider, plan)}</strong>: {candidate.reason.text}
              </li>
            ))}
            {binding.moreCount > 0 && <li>{t('more', { count: binding.moreCount })}</li>}
          </ul>
        </details>
      )}
    </div>
  );
}

/** A step by its title and host; a resource by its key, a host by its name. */
function providerName(provider: string, plan: PreviewedPlan): string {
  const node = plan.nodes.find(({ key }) => key === provider);
  if (node === undefined) return provider.replace(/^node\//, '');
  const title = plan.jobs.find(({ id }) => id === node.job)?.title.text ?? node.key;
  return node.target === null ? title : `${title} · ${node.target.replace(/^node\//, '')}`;
}
