'use client';

import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';

interface ServerTime {
  /** The server's clock minus this machine's, in milliseconds. */
  readonly offset: number;
  /** Tells what the server's clock said just now. */
  readonly learn: (serverNow: string) => void;
}

const ServerTimeContext = createContext<ServerTime>({ offset: 0, learn: () => undefined });

/** Ages are counted on the server's clock: the one of this machine may be off by hours [UX-X6]. */
export function ServerTimeProvider({
  now,
  children,
}: {
  readonly now: number;
  readonly children: ReactNode;
}) {
  const [offset, setOffset] = useState(0);
  useEffect(() => setOffset(now - performanceStart()), [now]);
  const learn = useCallback((serverNow: string) => setOffset(Date.parse(serverNow) - Date.now()), []);
  const value = useMemo(() => ({ offset, learn }), [offset, learn]);
  return <ServerTimeContext value={value}>{children}</ServerTimeContext>;
}

/** How far the server's clock is ahead of this machine's, and a way to correct it from an answer. */
export function useServerTime(): ServerTime {
  return useContext(ServerTimeContext);
}

/** The server's now in milliseconds, again every `everyMs` while the page is seen. */
export function useServerNow(everyMs = 10_000): number {
  const { offset } = useServerTime();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now());
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now + offset;
}

/** When the page was answered, on this machine's clock: rendering may have taken a while since. */
function performanceStart(): number {
  const [navigation] = performance.getEntriesByType('navigation');
  const answered = navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : 0;
  return performance.timeOrigin + answered;
}
