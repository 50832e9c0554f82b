'use client';

import { VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { announcementsBetween, speaker } from './announcements';
import { titleOfNode } from './node-title';
import { useOperation } from './operation-context';

/** Says stage changes and failures to a screen reader, and nothing of the chatter between [UX-R17]. */
export function Announcer() {
  const { store, operation } = useOperation();
  const words = useTranslations('operation');
  const graph = useTranslations('graph');
  const [said, setSaid] = useState('');
  const speak = useRef(speaker(setSaid));
  useEffect(
    () =>
      store.state.subscribe((after, before) => {
        const texts = announcementsBetween(before, after).map((one) =>
          one.kind === 'stage'
            ? words('announce.stage', { title: one.title, status: graph(`stageStatus.${one.status}`) })
            : words('announce.stopped', {
                title: titleOfNode(operation.plan, one.key),
                status: graph(`status.${one.status}`),
              }),
        );
        speak.current(texts);
      }),
    [store, operation, words, graph],
  );
  return (
    <VisuallyHidden aria-live="polite" data-testid="announcer">
      {said}
    </VisuallyHidden>
  );
}
