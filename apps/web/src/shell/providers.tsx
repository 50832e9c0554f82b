'use client';

import { MantineProvider } from '@mantine/core';
import { NextIntlClientProvider } from 'next-intl';
import { type ReactNode, useMemo } from 'react';
import { Provider as ApiProvider } from 'urql';
import { createApiClient } from '../api/client';
import type { Locale } from '../i18n/locale';
import type { Messages } from '../i18n/messages';
import { ServerTimeProvider } from '../kit/server-time';
import { AttentionProvider } from './attention';
import { cssVariables, theme } from './theme';

/** Everything that a screen may take for granted: words, theme, the API, the server's clock, the attention count. */
export function Providers(props: {
  readonly locale: Locale;
  readonly messages: Messages;
  readonly nonce: string;
  readonly timeZone: string;
  readonly now: number;
  readonly children: ReactNode;
}) {
  const client = useMemo(createApiClient, []);
  return (
    <NextIntlClientProvider locale={props.locale} messages={props.messages} timeZone={props.timeZone}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => props.nonce}
      >
        <ApiProvider value={client}>
          <ServerTimeProvider now={props.now}>
            <AttentionProvider>{props.children}</AttentionProvider>
          </ServerTimeProvider>
        </ApiProvider>
      </MantineProvider>
    </NextIntlClientProvider>
  );
}
