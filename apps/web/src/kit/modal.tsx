'use client';

import { Modal as MantineModal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';

/**
 * Mantine's Modal without its lock of the page's scrolling: the lock writes a style element that has no nonce, which the
 * policy of the pages refuses. The overlay keeps the page behind it out of reach all the same.
 */
export function Modal(props: ModalProps) {
  useReturnFocus(props.opened);
  return <MantineModal lockScroll={false} {...props} />;
}

/** Mantine gives the focus back when a dialog closes, but not when an open one is taken away, as most of ours are [UX-X2]. */
function useReturnFocus(opened: boolean): void {
  const [opener] = useState(() => (opened ? document.activeElement : null));
  useEffect(
    () => () => {
      // After the dialog is gone: it holds the focus as long as it is there.
      if (opener instanceof HTMLElement) setTimeout(() => opener.focus({ preventScroll: true }));
    },
    [opener],
  );
}
