'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import classes from './shell.module.css';

/** Ends the session on the server, and goes to the page that says so. */
export function SignOut() {
  const t = useTranslations('shell');
  const [failed, setFailed] = useState(false);
  const signOut = async (): Promise<void> => {
    try {
      const answer = await fetch('/auth/sign-out', { method: 'POST', headers: { 'x-capstan-csrf': '1' } });
      if (answer.ok) location.assign('/sign-in');
      else setFailed(true);
    } catch {
      setFailed(true); // offline: the button says that the session still is
    }
  };
  return (
    <button type="button" className={classes.switch} onClick={() => void signOut()} data-testid="sign-out">
      {failed ? t('signOut.failed') : t('signOut.do')}
    </button>
  );
}
