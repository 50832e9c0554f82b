'use client';

import { Select } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { EmptyState } from '../kit/states';
import { followLog } from '../live/follow-log';
import { createLogStore } from '../live/log-store';
import { LogView } from './log-view';
import styles from './operation.module.css';
import { useOperation } from './operation-context';
import type { NodeRunDetails } from './use-node-run';

type Attempt = NodeRunDetails['attempts']['nodes'][number];

/** The output of one try: the newest, or the one that the link names. */
export function LogTab({ run, nodeKey }: { readonly run: NodeRunDetails; readonly nodeKey: string }) {
  const words = useTranslations('operation');
  const { url, push } = useOperation();
  const attempts = run.attempts.nodes;
  const attempt = attempts.find(({ number }) => number === url.attempt) ?? attempts.at(-1);
  if (attempt === undefined) return <EmptyState title={words('log.none')} text={words('log.noneText')} />;
  const chooser =
    attempts.length < 2 ? null : (
      <Select
        size="xs"
        w={132}
        aria-label={words('log.attempt')}
        allowDeselect={false}
        value={String(attempt.number)}
        data={attempts.map(({ number }) => ({
          value: String(number),
          label: words('attempts.number', { number }),
        }))}
        onChange={(number) => push({ attempt: Number(number) })}
      />
    );
  return (
    <div className={styles.logTab}>
      <AttemptLog key={attempt.id} attempt={attempt} nodeKey={nodeKey} chooser={chooser} />
    </div>
  );
}

function AttemptLog(props: {
  readonly attempt: Attempt;
  readonly nodeKey: string;
  readonly chooser: React.ReactNode;
}) {
  const { attempt } = props;
  const words = useTranslations('operation');
  const { operation, socket } = useOperation();
  const client = useClient();
  const [log] = useState(() => createLogStore());
  useEffect(() => {
    const connection = followLog({ socket, client, log, operation: operation.id, attempt: attempt.id });
    return () => connection.stop();
  }, [socket, client, log, operation.id, attempt.id]);
  if (attempt.log.prunedAt !== null)
    return <EmptyState title={words('log.pruned')} text={words('log.prunedText')} />;
  return (
    <LogView log={log} href={attempt.log.href} running={!attempt.log.complete} chooser={props.chooser} />
  );
}
