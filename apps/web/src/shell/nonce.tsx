'use client';

import { createContext, useContext } from 'react';

/** The nonce of this page's Content-Security-Policy. */
export const NonceContext = createContext('');

/** For a library that makes style elements by itself. */
export function useNonce(): string {
  return useContext(NonceContext);
}
