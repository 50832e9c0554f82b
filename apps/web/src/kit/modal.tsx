'use client';

import { Modal as MantineModal, type ModalProps } from '@mantine/core';
import { useEffect, useRef } from 'react';

/**
 * Mantine's Modal without its lock of the page's scrolling: the lock writes a style element that has no nonce, which the
 * policy of the pages refuses. The overlay keeps the page behind it out of reach all the same.
 */
export function Modal(props: ModalProps) {
  useReturnFocus(props.opened);
  return <MantineModal lockScroll={false} returnFocus={false} {...props} />;
}

/**
 * Gives the focus back however a dialog ends [UX-X2]. Mantine's own way knows neither one that is there open at once,
 * as the first is whose script came late, nor an open one that is taken away, as most of ours are.
 */
function useReturnFocus(opened: boolean): void {
  const opener = useRef<Element | null>(null);
  const wasOpened = useRef(false);
  // While rendering: in an effect the dialog may have the focus already.
  if (opened && !wasOpened.current) opener.current = document.activeElement;
  wasOpened.current = opened;
  useEffect(() => {
    if (!opened) return undefined;
    return () => {
      const back = opener.current;
      // After the dialog is gone: it holds the focus as long as it is there.
      if (back instanceof HTMLElement) setTimeout(() => back.focus({ preventScroll: true }));
    };
  }, [opened]);
}
