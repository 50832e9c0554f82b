import type { OperationStatus } from '@capstan/model';

/** What the list shows; it stands in the URL, so that it survives a reload and can be sent to a colleague. */
export type ListFilter = 'all' | 'attention' | 'running' | 'done';

export const LIST_FILTERS: readonly ListFilter[] = ['all', 'attention', 'running', 'done'];

/** What a filter asks the server for; statuses that are not over count as running. */
export interface FilterVariables {
  needsAttention?: boolean;
  status?: OperationStatus[];
}

/** What decides the place of a card. */
export interface ListedOperation {
  readonly id: string;
  readonly status: string;
  readonly progress: { readonly needsAttention: number };
}

const OVER: readonly OperationStatus[] = ['succeeded', 'succeeded_with_waivers', 'failed', 'cancelled'];
const GOING: readonly OperationStatus[] = [
  'planned',
  'waiting',
  'running',
  'paused',
  'needs_attention',
  'cancelling',
];

/** The filter of a query string; `all` for anything unknown. */
export function filterOf(value: string | null): ListFilter {
  return LIST_FILTERS.find((filter) => filter === value) ?? 'all';
}

export function filterVariables(filter: ListFilter): FilterVariables {
  switch (filter) {
    case 'all':
      return {};
    case 'attention':
      return { needsAttention: true };
    case 'running':
      return { status: [...GOING] };
    case 'done':
      return { status: [...OVER] };
  }
}

/** An operation that waits for a person. */
export function needsAttention(operation: ListedOperation): boolean {
  return operation.status === 'needs_attention' || operation.progress.needsAttention > 0;
}

/** Nothing will change any more, unless a person tries again. */
export function isOver(operation: ListedOperation): boolean {
  return OVER.some((status) => status === operation.status);
}

/**
 * Those that wait for a person first, then those that run, then those that are over; within each as they came, which is
 * newest first [UX-S4]. An operation that came twice, from two pages, is listed once.
 */
export function attentionFirst<T extends ListedOperation>(operations: readonly T[]): readonly T[] {
  const once = [...new Map(operations.map((operation) => [operation.id, operation])).values()];
  const rank = (operation: T) => (needsAttention(operation) ? 0 : isOver(operation) ? 2 : 1);
  return once
    .map((operation, index) => ({ operation, index }))
    .sort((a, b) => rank(a.operation) - rank(b.operation) || a.index - b.index)
    .map(({ operation }) => operation);
}
