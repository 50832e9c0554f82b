'use client';

import type { ModalProps } from '@mantine/core';
import dynamic from 'next/dynamic';
import { useRef } from 'react';

const LazyModal = dynamic(() => import('./modal').then(({ Modal }) => Modal), { ssr: false });

/**
 * Mantine's Modal, whose script comes with the first opening: it weighs a tenth of a page, and a page that only might open
 * a dialog must not break when the server is away before the script came [UX-R6].
 */
export function Dialog(props: ModalProps) {
  const wasOpened = useRef(false);
  wasOpened.current ||= props.opened;
  return wasOpened.current ? <LazyModal {...props} /> : null;
}
