'use client';

import { Button, CloseButton, Tabs } from '@mantine/core';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { boxFor } from '../graph/from-plan';
import type { PlanGraph } from '../graph/graph-model';
import { statusWords } from '../graph/node-name';
import { hostOf } from '../graph/plan-view';
import { lookOf, NODE_LOOKS } from '../graph/status-look';
import { RequestState } from '../kit/request-state';
import { EmptyState, LoadingState } from '../kit/states';
import { ActionButton } from './action-buttons';
import { AttemptsTab } from './attempts-tab';
import { ContractTab } from './contract-tab';
import { EvidenceList } from './evidence-list';
import { LogTab } from './log-tab';
import { planNodeOf, titleOfNode } from './node-title';
import styles from './operation.module.css';
import { useOperation, useRow } from './operation-context';
import { StackPanel } from './stack-panel';
import { StatusPill } from './status-pill';
import { NODE_TABS, type NodeTab } from './url-state';
import { type NodeRunDetails, useNodeRun } from './use-node-run';

/** Everything about one node: how it stands, what it wrote, what proves it, why it is there. */
export function NodePanel({ nodeKey, graph }: { readonly nodeKey: string; readonly graph: PlanGraph }) {
  const words = useTranslations('operation');
  const { operation } = useOperation();
  const node = planNodeOf(operation.plan, nodeKey);
  if (node !== undefined) return <NodeDetails key={nodeKey} nodeKey={nodeKey} graph={graph} />;
  const stack = boxFor(graph, nodeKey);
  if (stack?.kind === 'stack') return <StackPanel stack={stack} />;
  return <EmptyState title={words('node.gone', { key: nodeKey })} />;
}

function NodeDetails({ nodeKey, graph }: { nodeKey: string; graph: PlanGraph }) {
  const words = useTranslations('operation');
  const graphWords = useTranslations('graph');
  const { operation, url, push, replace } = useOperation();
  const node = planNodeOf(operation.plan, nodeKey);
  const row = useRow(nodeKey);
  const { run, error, again } = useNodeRun(nodeKey, row?.sequence ?? 0);
  const stack = graph.nodes.find(({ key }) => key === nodeKey)?.stack ?? null;
  return (
    <>
      <div className={styles.panelHead}>
        <div className={styles.panelTitleRow}>
          <h2 className={styles.panelTitle}>{titleOfNode(operation.plan, nodeKey)}</h2>
          <CloseButton aria-label={words('node.close')} onClick={() => push({ node: null })} />
        </div>
        <div className={styles.panelFacts}>
          <StatusPill
            look={lookOf(NODE_LOOKS, row?.status ?? 'pending')}
            status={row?.status ?? 'pending'}
            text={statusWords(row, graphWords)}
          />
          {node?.target == null ? null : <span>{hostOf(node.target)}</span>}
          <span className={styles.mono}>{nodeKey}</span>
        </div>
        {/* Its place is kept: a reason that comes moves nothing. */}
        <p className={styles.panelReason} title={row?.reason ?? undefined}>
          {row?.reason}
        </p>
        <div className={styles.panelActions}>
          {run?.actions
            .filter((action) => action.allowed)
            .map((action) => (
              <ActionButton
                key={action.verb}
                nodeKey={nodeKey}
                action={{ ...action, why: action.why?.text ?? null, effect: action.effect.text }}
              />
            ))}
          {stack === null ? null : (
            <Button
              size="sm"
              variant="subtle"
              onClick={() => push({ open: url.open.filter((key) => key !== stack), node: stack })}
            >
              {words('node.closeStack')}
            </Button>
          )}
          {run?.childOperation == null ? null : (
            <Button
              size="sm"
              variant="default"
              component={Link}
              href={`/operations/${run.childOperation.number}`}
            >
              {words('node.child', { number: run.childOperation.number })}
            </Button>
          )}
        </div>
      </div>
      <Tabs
        value={url.nodeTab}
        onChange={(tab) => replace({ tab: tab as NodeTab })}
        keepMounted={false}
        className={styles.tabs}
      >
        <Tabs.List>
          {NODE_TABS.map((tab) => (
            <Tabs.Tab key={tab} value={tab} data-testid={`tab-${tab}`}>
              {words(`tab.${tab}`)}
              {tab === 'attempts' && (row?.attempt ?? 0) > 1 ? ` · ${row?.attempt}` : null}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {run === null && url.nodeTab !== 'contract' ? (
          <div className={styles.scrollPanel}>
            {error === null ? <LoadingState lines={4} /> : <RequestState error={error} onRetry={again} />}
          </div>
        ) : (
          <>
            <Tabs.Panel value="log" className={styles.fillPanel}>
              {run === null ? null : <LogTab run={run} nodeKey={nodeKey} />}
            </Tabs.Panel>
            <Tabs.Panel value="evidence" className={styles.scrollPanel}>
              {run === null ? null : <NodeEvidence run={run} />}
            </Tabs.Panel>
            <Tabs.Panel value="contract" className={styles.scrollPanel}>
              <ContractTab nodeKey={nodeKey} />
            </Tabs.Panel>
            <Tabs.Panel value="attempts" className={styles.scrollPanel}>
              {run === null ? null : <AttemptsTab run={run} />}
            </Tabs.Panel>
          </>
        )}
      </Tabs>
    </>
  );
}

function NodeEvidence({ run }: { run: NodeRunDetails }) {
  const { push } = useOperation();
  const numbers = new Map(run.attempts.nodes.map(({ id, number }) => [id, number]));
  return (
    <EvidenceList
      evidence={run.evidence}
      logOf={({ attemptId }) => {
        const attempt = attemptId === null ? undefined : numbers.get(attemptId);
        return attempt === undefined ? null : () => push({ tab: 'log', attempt });
      }}
    />
  );
}
