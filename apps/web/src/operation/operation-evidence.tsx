'use client';

import { useEffect } from 'react';
import { useQuery } from 'urql';
import { RequestState } from '../kit/request-state';
import { LoadingState } from '../kit/states';
import { operationEvidenceQuery } from './documents';
import { EvidenceList } from './evidence-list';
import { useLive, useOperation } from './operation-context';

/** Everything that was checked in this operation, the final proofs among it. */
export function OperationEvidence() {
  const { operation, push } = useOperation();
  const proved = useLive((live) => live.stages.reduce((sum, stage) => sum + stage.done, 0));
  const [{ data, error, fetching }, again] = useQuery({
    query: operationEvidenceQuery,
    variables: { ref: operation.id },
  });
  useEffect(() => {
    if (proved > 0) again({ requestPolicy: 'network-only' });
  }, [proved, again]);
  const evidence = data?.operation?.evidence.nodes;
  if (evidence !== undefined)
    return (
      <EvidenceList
        evidence={evidence}
        logOf={({ nodeKey }) => (nodeKey === null ? null : () => push({ node: nodeKey, tab: 'log' }))}
      />
    );
  return error !== undefined && !fetching ? (
    <RequestState error={error} onRetry={again} />
  ) : (
    <LoadingState lines={4} />
  );
}
