'use client';

import { useTranslations } from 'next-intl';
import { ErrorState } from '../../src/kit/states';

export default function PageError({ error, reset }: { readonly error: Error; readonly reset: () => void }) {
  const t = useTranslations('shell');
  return <ErrorState title={t('state.crashed')} text={error.message} onRetry={reset} />;
}
