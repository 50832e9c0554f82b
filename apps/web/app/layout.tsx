import '@mantine/core/styles.css';
import { ColorSchemeScript, mantineHtmlProps } from '@mantine/core';
import { cookies, headers } from 'next/headers';
import type { ReactNode } from 'react';
import { chooseLocale, localeCookie } from '../src/i18n/locale';
import { messagesOf } from '../src/i18n/messages';
import { Providers } from '../src/shell/providers';

/** Only what depends on the request: language, nonce, the server's clock. All data comes from the API. */
export default async function Layout({ children }: { readonly children: ReactNode }) {
  const [cookie, header] = await Promise.all([cookies(), headers()]);
  const locale = chooseLocale(cookie.get(localeCookie)?.value, header.get('accept-language'));
  const nonce = header.get('x-nonce') ?? '';
  return (
    <html lang={locale} {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} suppressHydrationWarning />
      </head>
      <body>
        <Providers
          locale={locale}
          messages={messagesOf(locale)}
          nonce={nonce}
          timeZone={Intl.DateTimeFormat().resolvedOptions().timeZone}
          now={Date.now()}
        >
          {children}
        </Providers>
      </body>
    </html>
  );
}

export async function generateMetadata() {
  const [cookie, header] = await Promise.all([cookies(), headers()]);
  const { description } = messagesOf(
    chooseLocale(cookie.get(localeCookie)?.value, header.get('accept-language')),
  ).shell;
  return { title: 'Capstan', description, referrer: 'no-referrer' as const };
}
