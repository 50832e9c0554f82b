'use client';

import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { pageTitle } from './page-title';

interface Attention {
  readonly count: number;
  readonly setCount: (count: number) => void;
  /** Grows when a page saw something change that may need somebody, or no longer does. */
  readonly changes: number;
  readonly noteChange: () => void;
}

const AttentionContext = createContext<Attention>({
  count: 0,
  setCount: () => undefined,
  changes: 0,
  noteChange: () => undefined,
});

export function AttentionProvider({ children }: { readonly children: ReactNode }) {
  const [count, setCount] = useState(0);
  const [changes, setChanges] = useState(0);
  const noteChange = useCallback(() => setChanges((former) => former + 1), []);
  const value = useMemo(() => ({ count, setCount, changes, noteChange }), [count, changes, noteChange]);
  return <AttentionContext value={value}>{children}</AttentionContext>;
}

/** How many operations wait for a person, as last told by whoever knows; it stands in front of the page's title. */
export function useAttention(): Attention {
  return useContext(AttentionContext);
}

/** Names the page in the browser's tab, "(2) Operations · Capstan" when two operations need somebody [UX-S4]. */
export function usePageTitle(title: string): void {
  const { count } = useAttention();
  useEffect(() => {
    document.title = pageTitle(title, count);
  }, [title, count]);
}
