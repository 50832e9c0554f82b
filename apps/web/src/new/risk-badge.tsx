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
  const color = COLORS[risk];
  return (
    <Badge
      variant={color === undefined ? 'default' : 'outline'}
      color={color ?? 'gray'}
      c="var(--mantine-color-text)"
      tt="none"
      fw={500}
      data-risk={risk}
    >
      {words}
    </Badge>
  );
}
