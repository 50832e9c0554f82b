'use client';

import { useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';
import { changedUrl, type OperationUrl, parseUrl, type UrlChange } from './url-state';

/**
 * Reads and writes where the reader stands. The history API, which Next's router follows without asking the server: a
 * selection must not cost a request. `push` makes a step that Back undoes; `replace` is for panning and the like.
 */
export function useUrlState(): {
  readonly url: OperationUrl;
  readonly push: (change: UrlChange) => void;
  readonly replace: (change: UrlChange) => void;
} {
  const query = useSearchParams();
  const url = useMemo(() => parseUrl(new URLSearchParams(query)), [query]);
  const push = useCallback((change: UrlChange) => write('pushState', change), []);
  const replace = useCallback((change: UrlChange) => write('replaceState', change), []);
  return { url, push, replace };
}

function write(how: 'pushState' | 'replaceState', change: UrlChange): void {
  // From the address itself: two changes within one tick must both count.
  const { search, pathname, hash } = window.location;
  const next = changedUrl(new URLSearchParams(search), change);
  if (next === new URLSearchParams(search).toString()) return;
  const keptHash = change.node === undefined && change.attempt === undefined ? hash : '';
  window.history[how](null, '', `${pathname}${next === '' ? '' : `?${next}`}${keptHash}`);
}
