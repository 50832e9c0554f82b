// biome-ignore-all lint/a11y/useSemanticElements: a <section> cannot be the scroller and the tab stop that a log needs
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: without a tab stop nobody scrolls it by keyboard
'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useTranslations } from 'next-intl';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { LogStore } from '../live/log-store';
import { AnsiLine } from './ansi-line';
import styles from './log.module.css';
import { LogToolbar } from './log-toolbar';
import { useFollow } from './use-follow';

interface LogViewProps {
  readonly log: LogStore;
  /** Raw bytes of the whole log. */
  readonly href: string;
  readonly running: boolean;
  readonly chooser: ReactNode;
}

const LINE_HEIGHT = 20;

/** A log of any length: only what is seen is drawn, the end is followed until the reader scrolls up [UX-R7] [UX-R8]. */
export function LogView({ log, href, running, chooser }: LogViewProps) {
  const words = useTranslations('operation');
  const { lines, ended, generation } = useStore(log.state);
  const scroller = useRef<HTMLDivElement>(null);
  const [wrap, setWrap] = useState(true);
  const [query, setQuery] = useState('');
  const [current, setCurrent] = useState<number | null>(null);
  const linked = useLinkedLine();
  const [problemsOnly, setProblemsOnly] = useState(false);
  // Places in the list are lines of the log until only some of them are shown.
  const shown = problemsOnly ? log.problems() : null;
  const count = shown?.length ?? lines;
  const lineAt = (place: number) => shown?.[place] ?? place;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
    // Read anew after a masking: measured heights of before mean nothing.
    getItemKey: (place) => `${generation} ${lineAt(place)}`,
  });
  // All lines, those that the filter leaves out, too: else what is unseen would change with the filter.
  const follow = useFollow(scroller, lines, virtual.getTotalSize(), running && linked === null);

  const show = (index: number) => {
    follow.setFollowing(false);
    setCurrent(index);
    const place = shown === null ? index : shown.indexOf(index);
    if (place >= 0) return virtual.scrollToIndex(place, { align: 'center' });
    setProblemsOnly(false);
    // After all lines are drawn again.
    setTimeout(() => virtual.scrollToIndex(index, { align: 'center' }), 0);
  };
  const shownLink = useRef(false);
  useEffect(() => {
    if (linked === null || shownLink.current || lines <= linked) return;
    shownLink.current = true;
    setCurrent(linked);
    virtual.scrollToIndex(linked, { align: 'center' });
  }, [linked, lines, virtual]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.toLowerCase() !== 'e') return;
    event.preventDefault();
    const next = log.nextError(current ?? (event.shiftKey ? lines : -1), event.shiftKey ? -1 : 1);
    if (next !== null) show(next);
  };

  const digits = String(Math.max(lines, 999)).length;
  return (
    <>
      <LogToolbar
        log={log}
        href={href}
        query={query}
        onQuery={setQuery}
        onShow={show}
        current={current}
        wrap={wrap}
        onWrap={setWrap}
        following={follow.following}
        onFollow={follow.setFollowing}
        problemsOnly={problemsOnly}
        onProblemsOnly={setProblemsOnly}
        chooser={chooser}
      />
      <div className={styles.frame}>
        <div
          ref={scroller}
          className={styles.scroller}
          data-wrap={wrap}
          data-testid="log"
          role="region"
          aria-label={words('log.name')}
          aria-describedby="log-keys"
          tabIndex={0}
          onScroll={follow.onScroll}
          onKeyDown={onKeyDown}
        >
          <p id="log-keys" className={styles.hidden}>
            {words('log.keys')}
          </p>
          <div className={styles.lines} style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map((item) => (
              <div
                key={item.key}
                ref={wrap ? virtual.measureElement : undefined}
                data-index={item.index}
                className={styles.line}
                data-note={log.isNote(lineAt(item.index)) || undefined}
                data-current={lineAt(item.index) === current || undefined}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <LineNumber
                  line={lineAt(item.index)}
                  digits={digits}
                  onPick={(line) => {
                    setCurrent(line);
                    follow.setFollowing(false);
                  }}
                />
                <code className={styles.text}>
                  <AnsiLine text={log.line(lineAt(item.index))} mark={query} />
                </code>
              </div>
            ))}
          </div>
          {count === 0 ? <p className={styles.empty}>{words(emptyWords(lines, ended))}</p> : null}
        </div>
        {follow.unseen > 0 ? (
          <button
            type="button"
            className={styles.unseen}
            onClick={() => follow.setFollowing(true)}
            data-testid="log-unseen"
          >
            {words('log.unseen', { count: follow.unseen })}
          </button>
        ) : null}
      </div>
    </>
  );
}

function emptyWords(lines: number, ended: boolean) {
  if (lines > 0) return 'log.noProblems' as const;
  return ended ? ('log.empty' as const) : ('log.waiting' as const);
}

/** The number of a line, which is a link to it: a click puts it into the address. */
function LineNumber(props: {
  readonly line: number;
  readonly digits: number;
  readonly onPick: (line: number) => void;
}) {
  const { line, digits, onPick } = props;
  const hash = `#L${line + 1}`;
  return (
    <a
      className={styles.number}
      style={{ width: `${digits + 1}ch` }}
      href={hash}
      tabIndex={-1}
      onClick={(event) => {
        event.preventDefault();
        window.history.replaceState(null, '', `${window.location.pathname}${window.location.search}${hash}`);
        onPick(line);
      }}
    >
      {line + 1}
    </a>
  );
}

/** The line that a link names, `#L1234`, from 0. */
function useLinkedLine(): number | null {
  const [line] = useState(() => {
    const match = /^#L(\d+)$/.exec(typeof window === 'undefined' ? '' : window.location.hash);
    return match === null ? null : Math.max(0, Number(match[1]) - 1);
  });
  return line;
}
