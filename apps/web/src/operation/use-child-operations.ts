'use client';

import { useLocale } from 'next-intl';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import type { ChildView } from '../graph/from-operation';
import { nodeRunQuery } from './documents';
import { useOperation } from './operation-context';

/** The operations that sub-operation nodes of this plan run as; nothing is asked for where there are none. */
export function useChildOperations(): readonly ChildView[] {
  const { operation } = useOperation();
  const locale = useLocale();
  const keys = useMemo(
    () => operation.plan.nodes.filter((node) => node.kind === 'sub_operation').map((node) => node.key),
    [operation.plan],
  );
  const [{ data }] = useQuery({
    query: nodeRunQuery,
    variables: { ref: operation.id, keys, locale },
    pause: keys.length === 0,
  });
  return useMemo(
    () =>
      (data?.operation?.nodeRuns ?? []).flatMap(({ key, childOperation }) =>
        childOperation === null
          ? []
          : [{ nodeKey: key, number: childOperation.number, title: childOperation.title.text }],
      ),
    [data],
  );
}
