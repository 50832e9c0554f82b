'use client';

import { useTranslations } from 'next-intl';

/** Who can help with a blocker, in words: the server names permissions, people know what they allow. */
export function useWho(): (who: readonly string[]) => string {
  const words = useTranslations('operation');
  return (who) =>
    who
      .map((one) => {
        if (one === 'capstan') return words('who.capstan');
        if (one.startsWith('permission:'))
          return words('who.permission', { permission: one.slice('permission:'.length) });
        return one;
      })
      .join(', ');
}
