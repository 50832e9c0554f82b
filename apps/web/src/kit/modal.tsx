'use client';

import { Modal as MantineModal, type ModalProps } from '@mantine/core';

/**
 * Mantine's Modal without its lock of the page's scrolling: the lock writes a style element that has no nonce, which the
 * policy of the pages refuses. The overlay keeps the page behind it out of reach all the same.
 */
export function Modal(props: ModalProps) {
  return <MantineModal lockScroll={false} {...props} />;
}
