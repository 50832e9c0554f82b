'use client';

import { useTranslations } from 'next-intl';
import type { CombinedError } from 'urql';
import { requestFailure } from './request-failure';
import { ErrorState, NoPermission, OfflineState } from './states';

/** What became of a request that brought no data, as the person should read it. */
export function RequestState(props: { readonly error: CombinedError; readonly onRetry?: () => void }) {
  const t = useTranslations('shell');
  const failure = requestFailure(props.error);
  switch (failure.kind) {
    case 'offline':
      return <OfflineState onRetry={props.onRetry} />;
    case 'signed_out':
      return (
        <ErrorState title={t('state.signedOut')} text={<a href="/sign-in">{t('state.signInAgain')}</a>} />
      );
    case 'wrong_origin':
      return <ErrorState text={failure.text} />;
    case 'not_allowed':
      return <NoPermission text={failure.text} />;
    case 'failed':
      return (
        <ErrorState
          text={failure.correlationId ? t('state.errorWithId', failure) : failure.text}
          onRetry={props.onRetry}
        />
      );
  }
}
