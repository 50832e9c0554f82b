import { Anchor, Checkbox, Group, Input, Radio, Stack, Text, TextInput } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ProvenanceBadge } from '../kit/provenance-badge';
import type { HostChoice as Host } from './documents';
import classes from './new.module.css';

/** More than these are searched. */
const SEARCH_FROM = 9;

export interface HostPickerProps {
  readonly id: string;
  readonly label: string;
  /** How many the scenario wants; null: it depends on the parameters, or on the person. */
  readonly count: number | null;
  readonly hosts: readonly Host[];
  readonly chosen: readonly string[];
  readonly error: string | null;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** The hosts of one set. None is chosen beforehand: the planner does not pick machines, and nor does the page. */
export function HostPicker({ id, label, count, hosts, chosen, error, onChange }: HostPickerProps) {
  const t = useTranslations('new.hosts');
  const [search, setSearch] = useState('');
  const shown = hosts.filter(({ name, address }) => `${name} ${address}`.includes(search.trim()));
  const words = {
    label,
    description: count === null ? t('any') : t('count', { count }),
    error,
    required: true,
    withAsterisk: true,
  };
  const choices = (
    <div className={classes.hosts}>
      {shown.map((host) => (
        <HostChoice key={host.name} host={host} single={count === 1} />
      ))}
    </div>
  );
  if (hosts.length === 0)
    return (
      <Input.Wrapper id={id} label={label} error={error}>
        <Text size="sm">
          {t('none')}{' '}
          <Anchor component={Link} href="/hosts" underline="always" inherit>
            {t('add')}
          </Anchor>
        </Text>
      </Input.Wrapper>
    );
  return (
    <Stack gap="xs" id={id}>
      {hosts.length >= SEARCH_FROM && (
        <TextInput
          type="search"
          label={t('search', { set: label })}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          maw={320}
        />
      )}
      {count === 1 ? (
        <Radio.Group
          {...words}
          value={chosen[0] ?? null}
          onChange={(name) => onChange(name === null ? [] : [name])}
        >
          {choices}
        </Radio.Group>
      ) : (
        <Checkbox.Group {...words} value={[...chosen]} onChange={onChange}>
          {choices}
        </Checkbox.Group>
      )}
    </Stack>
  );
}

function HostChoice({ host, single }: { readonly host: Host; readonly single: boolean }) {
  const words = {
    value: host.name,
    label: (
      <Group gap={8} component="span">
        <strong>{host.name}</strong>
        <ProvenanceBadge provenance={host.provenance} />
      </Group>
    ),
    description: `${host.user}@${host.address}`,
  };
  return <div className={classes.host}>{single ? <Radio {...words} /> : <Checkbox {...words} />}</div>;
}
