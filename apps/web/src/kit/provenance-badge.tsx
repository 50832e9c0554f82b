import { Badge } from '@mantine/core';
import { useTranslations } from 'next-intl';

/** Whether a machine, or a fact about it, is real or simulated; in words, and never by colour alone. */
export function ProvenanceBadge({ provenance }: { readonly provenance: string }) {
  const t = useTranslations('hosts.provenance');
  const simulated = provenance === 'stand_in';
  return (
    <Badge
      variant={simulated ? 'default' : 'light'}
      color={simulated ? 'gray' : 'green'}
      c="var(--mantine-color-text)"
      tt="none"
      fw={500}
      data-provenance={provenance}
    >
      {simulated ? t('simulated') : t('real')}
    </Badge>
  );
}
