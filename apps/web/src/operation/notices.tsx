'use client';

import { Alert, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useServerTime } from '../kit/server-time';
import { NOT_CONNECTED } from '../live/connection';
import { useOperation } from './operation-context';

/** Sentences about the connection that a chip cannot hold: an address that is not let in is no "reconnecting". */
export function Notices() {
  const words = useTranslations('operation');
  const { connection, store } = useOperation();
  const { kind, socketRefused } = useStore(connection?.state ?? NOT_CONNECTED);
  const { learn } = useServerTime();
  useEffect(
    () =>
      store.state.subscribe((live, before) => {
        if (live.asOf !== null && live.asOf !== before.asOf) learn(live.asOf);
      }),
    [store, learn],
  );
  if (kind === 'signed_out')
    return (
      <Alert color="yellow" variant="outline" role="alert" title={words('notice.signedOut')}>
        <Text size="sm" component="a" href="/sign-in">
          {words('notice.signIn')}
        </Text>
      </Alert>
    );
  if (!socketRefused) return null;
  return (
    <Alert
      color="yellow"
      variant="outline"
      role="status"
      title={words('notice.noSocket')}
      data-testid="no-socket"
    >
      <Text size="sm">{words('notice.noSocketText')}</Text>
    </Alert>
  );
}
