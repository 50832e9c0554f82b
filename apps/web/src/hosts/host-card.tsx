import { Button, Group, Text, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import facts from '../kit/facts.module.css';
import { ProvenanceBadge } from '../kit/provenance-badge';
import { RelativeTime } from '../kit/relative-time';
import type { HostData } from './documents';
import classes from './hosts.module.css';

/** One machine: how it is reached, which key it is known by, and what is proved of it since when. */
export function HostCard({ host, onCompare }: { readonly host: HostData; readonly onCompare: () => void }) {
  const t = useTranslations('hosts');
  const tier = `tier.${host.tier}` as 'tier.own';
  return (
    <article className={classes.host} data-testid="host-card" data-host={host.name}>
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4">
          {host.name}
        </Title>
        <ProvenanceBadge provenance={host.provenance} />
      </Group>
      <dl className={facts.facts}>
        <dt>{t('field.address')}</dt>
        <dd>
          {host.user}@{host.address}:{host.port}
        </dd>
        <dt>{t('field.environment')}</dt>
        <dd>{host.environment.name}</dd>
        <dt>{t('field.tier')}</dt>
        <dd>
          {t.has(tier) ? t(tier) : host.tier}
          {!host.isolated && ` · ${t('notIsolated')}`}
        </dd>
        <dt>{t('field.key')}</dt>
        <dd className={host.hostKeyFingerprint === null ? undefined : classes.mono}>
          {host.hostKeyFingerprint ?? t('noKey')}
        </dd>
      </dl>
      <section aria-label={t('factsOf', { host: host.name })}>
        <Title order={3} size="h6" mb={4}>
          {t('facts')}
        </Title>
        {host.facts.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('noFacts')}
          </Text>
        ) : (
          <ul className={classes.known}>
            {host.facts.map((fact) => (
              <FactLine key={fact.capability} fact={fact} />
            ))}
          </ul>
        )}
      </section>
      <Group mt="auto">
        <Button
          variant="default"
          size="sm"
          onClick={onCompare}
          aria-label={t('compareNamed', { host: host.name })}
        >
          {t('compare')}
        </Button>
      </Group>
    </article>
  );
}

function FactLine({ fact }: { readonly fact: HostData['facts'][number] }) {
  const t = useTranslations('hosts');
  const state = `state.${fact.state}` as 'state.holds';
  return (
    <li data-fact={fact.capability} data-state={fact.state}>
      <span>{fact.capability}</span>
      <span>
        {t.has(state) ? t(state) : fact.state} · <RelativeTime at={fact.provedAt} />
      </span>
    </li>
  );
}
