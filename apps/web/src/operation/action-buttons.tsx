'use client';

import { isEnd } from '@capstan/model';
import { Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Hint } from '../kit/hint';
import type { ActionRow } from '../live/operation-frame';
import { ConfirmAction } from './confirm-action';
import { useLive } from './operation-context';

/** What this viewer may do with the operation now; what not, and why not, is said instead of hidden. */
export function ActionButtons() {
  const head = useLive((live) => live.head);
  // What an operation that is over, or that nothing stopped, offers is nothing; a cancel that is refused says why.
  const actions = (head?.actions ?? []).filter(
    (action) => action.allowed || (action.verb === 'cancel' && head !== null && !isEnd(head.status)),
  );
  return (
    <>
      {actions.map((action) => (
        <ActionButton key={action.verb} action={action} nodeKey={null} />
      ))}
    </>
  );
}

interface ActionButtonProps {
  readonly action: ActionRow;
  /** The node it is about; null = the operation. */
  readonly nodeKey: string | null;
  readonly primary?: boolean;
}

/** One verb: disabled with its reason, else it asks with its effect before it does anything. */
export function ActionButton({ action, nodeKey, primary = false }: ActionButtonProps) {
  const words = useTranslations('operation');
  const [asked, setAsked] = useState(false);
  const verb = action.verb === 'cancel' ? 'cancel' : 'retry';
  const name = words(nodeKey === null ? `action.${verb}` : 'action.retryNode');
  return (
    <>
      <Hint label={action.allowed ? null : action.why}>
        <Button
          size={primary ? 'md' : 'sm'}
          variant={primary ? 'filled' : 'default'}
          // Disabled buttons get no focus, so nobody could read why: this one stays reachable and does nothing.
          data-disabled={!action.allowed || undefined}
          aria-disabled={!action.allowed}
          onClick={() => action.allowed && setAsked(true)}
          data-testid={`action-${verb}${nodeKey === null ? '' : '-node'}`}
        >
          {name}
        </Button>
      </Hint>
      {asked ? <ConfirmAction action={action} nodeKey={nodeKey} onClose={() => setAsked(false)} /> : null}
    </>
  );
}
