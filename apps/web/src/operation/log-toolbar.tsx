'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { LogStore } from '../live/log-store';
import { copyText } from './copy-text';
import styles from './log.module.css';
import { plainText } from './terminal-text';

interface LogToolbarProps {
  readonly log: LogStore;
  readonly href: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly onShow: (line: number) => void;
  readonly current: number | null;
  readonly wrap: boolean;
  readonly onWrap: (wrap: boolean) => void;
  readonly following: boolean;
  readonly onFollow: (follow: boolean) => void;
  readonly problemsOnly: boolean;
  readonly onProblemsOnly: (only: boolean) => void;
  readonly chooser: ReactNode;
}

/** More than this is no longer something to paste; the download has it all. */
const COPY_UP_TO = 20_000;

/** Search, and below it follow, errors only, wrap, copy, download: rows that never change their height. */
export function LogToolbar(props: LogToolbarProps) {
  const words = useTranslations('operation');
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    const { lines } = props.log.state.getState();
    const from = Math.max(0, lines - COPY_UP_TO);
    const text = Array.from({ length: lines - from }, (_, index) => props.log.line(from + index)).join('\n');
    setCopied(await copyText(plainText(text)));
  };
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={words('log.toolbar')}>
      <div className={styles.tools}>
        {props.chooser}
        <Search {...props} />
      </div>
      <div className={styles.tools}>
        <Toggle
          pressed={props.following}
          onClick={() => props.onFollow(!props.following)}
          testId="log-follow"
        >
          {words('log.follow')}
        </Toggle>
        <Toggle
          pressed={props.problemsOnly}
          onClick={() => props.onProblemsOnly(!props.problemsOnly)}
          testId="log-problems"
        >
          {words('log.problems')}
        </Toggle>
        <Toggle pressed={props.wrap} onClick={() => props.onWrap(!props.wrap)} testId="log-wrap">
          {words('log.wrap')}
        </Toggle>
        <button type="button" className={styles.tool} onClick={copy}>
          <span className={styles.either}>
            <span data-off={copied || undefined}>{words('copy')}</span>
            <span data-off={!copied || undefined}>{words('copied')}</span>
          </span>
        </button>
        <a className={styles.tool} href={props.href} download data-testid="log-download">
          {words('log.raw')}
        </a>
      </div>
    </div>
  );
}

function Search({ log, query, onQuery, onShow, current }: LogToolbarProps) {
  const words = useTranslations('operation');
  const { lines } = useStore(log.state);
  const [found, setFound] = useState<readonly number[]>([]);
  useEffect(() => {
    if (query === '') return setFound([]);
    // After the key press is drawn; `lines` is here so that what comes later is found, too.
    const timer = setTimeout(() => setFound(lines === 0 ? [] : log.search(query)), 120);
    return () => clearTimeout(timer);
  }, [query, log, lines]);
  const step = (direction: 1 | -1) => {
    const from = current ?? -1;
    const next =
      direction === 1
        ? (found.find((line) => line > from) ?? found[0])
        : (found.findLast((line) => line < from) ?? found.at(-1));
    if (next !== undefined) onShow(next);
  };
  return (
    <span className={styles.search}>
      <input
        type="search"
        value={query}
        placeholder={words('log.search')}
        aria-label={words('log.search')}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
          if (event.key !== 'Escape') return;
          event.preventDefault();
          onQuery('');
        }}
      />
      <span className={styles.found} role="status">
        {query === '' ? '' : words('log.found', { count: found.length })}
      </span>
    </span>
  );
}

function Toggle(props: {
  readonly pressed: boolean;
  readonly onClick: () => void;
  readonly testId: string;
  readonly children: ReactNode;
}) {
  return (
    <button
      type="button"
      className={styles.tool}
      aria-pressed={props.pressed}
      onClick={props.onClick}
      data-testid={props.testId}
    >
      {props.children}
    </button>
  );
}
