'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { ErrorState } from '../kit/states';

const RELOADED = 'capstan-reloaded';

/** A page that threw. Files of another build that are gone from the server are loaded anew, once. */
export function PageBroke({ error, reset }: { readonly error: Error; readonly reset: () => void }) {
  const t = useTranslations('shell');
  const isOldBuild = error.name === 'ChunkLoadError';
  useEffect(() => {
    if (!isOldBuild || sessionStorage.getItem(RELOADED) === location.href) return;
    sessionStorage.setItem(RELOADED, location.href);
    location.reload();
  }, [isOldBuild]);
  return <ErrorState title={t('state.crashed')} text={error.message} onRetry={reset} />;
}
