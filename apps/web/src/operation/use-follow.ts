'use client';

import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/** What a growing list needs to keep its end in view until the reader looks elsewhere [UX-R7]. */
export interface Follow {
  readonly following: boolean;
  /** Rows that came since the reader looked away. */
  readonly unseen: number;
  readonly setFollowing: (following: boolean) => void;
  /** For the scroller. */
  readonly onScroll: () => void;
}

/** Nearer than this to the end is at the end. */
const END_PX = 24;

/** Follows the end of a list of `count` rows; scrolling up lets go, scrolling to the end takes hold again. */
export function useFollow(
  scroller: React.RefObject<HTMLElement | null>,
  count: number,
  /** Height of all rows: rows that turn out taller move the end, too. */
  height: number,
  initially: boolean,
): Follow {
  const [following, follow] = useState(initially);
  // Null until the reader let go: who never followed has missed nothing.
  const seen = useRef<number | null>(null);
  const lastTop = useRef(0);

  useLayoutEffect(() => {
    const element = scroller.current;
    // A new height without new rows – a line that wraps – moves the end, too.
    if (element === null || !following || count === 0 || height === 0) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, [scroller, following, count, height]);
  const newest = useRef(count);
  newest.current = count;
  const setFollowing = useCallback((next: boolean) => {
    seen.current = next ? null : (seen.current ?? newest.current);
    follow(next);
  }, []);

  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < END_PX;
    // Only a way up is the reader's will: growth moves the end away from a list that stands still.
    if (atEnd) setFollowing(true);
    else if (element.scrollTop < lastTop.current - 1) setFollowing(false);
    lastTop.current = element.scrollTop;
  }, [scroller, setFollowing]);

  const unseen = following || seen.current === null ? 0 : Math.max(0, count - seen.current);
  return { following, unseen, setFollowing, onScroll };
}
