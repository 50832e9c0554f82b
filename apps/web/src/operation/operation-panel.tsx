'use client';

import { Tabs } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { ArtifactList } from './artifact-list';
import { AttentionTab } from './attention-tab';
import { EventsTab } from './events-tab';
import styles from './operation.module.css';
import { useOperation } from './operation-context';
import { OperationEvidence } from './operation-evidence';
import { OPERATION_TABS, type OperationTab } from './url-state';

/** Nothing is selected: everything about the operation as a whole. */
export function OperationPanel() {
  const words = useTranslations('operation');
  const { url, replace } = useOperation();
  return (
    <>
      <div className={styles.panelHead}>
        <h2 className={styles.panelTitle}>{words('panelWhole')}</h2>
        <p className={styles.panelHint}>{words('panelHint')}</p>
      </div>
      <Tabs
        value={url.operationTab}
        onChange={(tab) => replace({ tab: tab as OperationTab })}
        keepMounted={false}
        className={styles.tabs}
      >
        <Tabs.List>
          {OPERATION_TABS.map((tab) => (
            <Tabs.Tab key={tab} value={tab} data-testid={`tab-${tab}`}>
              {words(`tab.${tab}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="attention" className={styles.scrollPanel}>
          <AttentionTab />
        </Tabs.Panel>
        <Tabs.Panel value="artifacts" className={styles.scrollPanel}>
          <ArtifactList />
        </Tabs.Panel>
        <Tabs.Panel value="evidence" className={styles.scrollPanel}>
          <OperationEvidence />
        </Tabs.Panel>
        <Tabs.Panel value="events" className={styles.fillPanel}>
          <EventsTab nodeKey={null} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
