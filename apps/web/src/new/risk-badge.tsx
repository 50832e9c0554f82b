import { Badge } from '@mantine/core';
import { useTranslations } from 'next-intl';

const COLORS: Readonly<Record<string, string>> = {
  low: 'gray',
  medium: 'yellow',
  high: 'orange',
  critical: 'red',
};

/** How much can go wrong, in a word. */
export function RiskBadge({ risk }: { readonly risk: string }) {
  const t = useTranslations('new.risk');
  const words = t.has(risk as 'low') ? t(risk as 'low') : risk;
  return (
    <Badge variant="outline" color={COLORS[risk] ?? 'gray'} tt="none" fw={500} c="var(--mantine-color-text)">
      {words}
    </Badge>
  );
}
