'use client';

import type { ReactNode } from 'react';
import classes from './hint.module.css';

/**
 * Words that appear beside what they explain while it is pointed at or has the focus; those who hear the page always hear
 * them. In CSS alone: a tooltip that measures where it fits weighs a seventh of a page.
 */
export function Hint({ label, children }: { readonly label: string | null; readonly children: ReactNode }) {
  if (label === null || label === '') return children;
  return (
    <span className={classes.hint}>
      {children}
      <span className={classes.words} role="note">
        {label}
      </span>
    </span>
  );
}
