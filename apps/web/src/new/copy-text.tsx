import { Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';

/** Copies a text; where the browser has no clipboard, as on plain http, it says so instead of doing nothing. */
export function CopyText({ text }: { readonly text: string }) {
  const t = useTranslations('new.copy');
  const [state, setState] = useState<'do' | 'done' | 'failed'>('do');
  const copy = async () => {
    setState((await copied(text)) ? 'done' : 'failed');
  };
  return (
    <Button variant="default" size="sm" onClick={() => void copy()}>
      <span aria-live="polite">{t(state)}</span>
    </Button>
  );
}

async function copied(text: string): Promise<boolean> {
  // The types promise a clipboard; pages over plain http have none.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    await clipboard?.writeText(text);
    return clipboard !== undefined;
  } catch {
    return false; // the person or the browser refused: the button says that nothing was copied
  }
}
