import { parseViewport, type Viewport, viewportText } from '../graph/viewport';

export const VIEWS = ['simple', 'graph', 'list'] as const;
export type OperationView = (typeof VIEWS)[number];

export const NODE_TABS = ['log', 'evidence', 'contract', 'attempts'] as const;
export const OPERATION_TABS = ['attention', 'artifacts', 'evidence', 'events'] as const;
export type NodeTab = (typeof NODE_TABS)[number];
export type OperationTab = (typeof OPERATION_TABS)[number];

/** Where a reader stands: all of it is in the link, so it survives reload, Back and a colleague [UX-R2]. */
export interface OperationUrl {
  readonly view: OperationView;
  /** Key of the selected plan node. */
  readonly node: string | null;
  readonly nodeTab: NodeTab;
  readonly operationTab: OperationTab;
  /** Number of the attempt whose log is read; null = the newest. */
  readonly attempt: number | null;
  /** Keys of opened stacks. */
  readonly open: readonly string[];
  readonly viewport: Viewport | null;
}

/** The state of a query string; what it does not know or cannot read is the default. */
export function parseUrl(query: URLSearchParams): OperationUrl {
  const attempt = Number(query.get('attempt'));
  return {
    view: oneOf(VIEWS, query.get('view')) ?? 'simple',
    node: query.get('node'),
    nodeTab: oneOf(NODE_TABS, query.get('tab')) ?? 'log',
    operationTab: oneOf(OPERATION_TABS, query.get('tab')) ?? 'attention',
    attempt: Number.isSafeInteger(attempt) && attempt > 0 ? attempt : null,
    open: query.getAll('open'),
    viewport: parseViewport(query.get('at')),
  };
}

/** What a change of the state writes; `undefined` keeps, `null` removes. */
export type UrlChange = Partial<{
  readonly view: OperationView;
  readonly node: string | null;
  readonly tab: NodeTab | OperationTab | null;
  readonly attempt: number | null;
  readonly open: readonly string[];
  readonly viewport: Viewport | null;
}>;

/** The query string after a change. Another node forgets the attempt of the former one. */
export function changedUrl(query: URLSearchParams, change: UrlChange): string {
  const next = new URLSearchParams(query);
  const set = (name: string, value: string | null) =>
    value === null ? next.delete(name) : next.set(name, value);
  if (change.view !== undefined) set('view', change.view === 'simple' ? null : change.view);
  if (change.node !== undefined && change.node !== query.get('node')) {
    set('node', change.node);
    set('attempt', null);
    // Tabs of a node and of the operation are different ones.
    if ((change.node === null) !== (query.get('node') === null)) set('tab', null);
  }
  if (change.tab !== undefined) set('tab', change.tab);
  if (change.attempt !== undefined) set('attempt', change.attempt === null ? null : String(change.attempt));
  if (change.open !== undefined) {
    next.delete('open');
    for (const key of change.open) next.append('open', key);
  }
  if (change.viewport !== undefined)
    set('at', change.viewport === null ? null : viewportText(change.viewport));
  return next.toString();
}

function oneOf<T extends string>(values: readonly T[], value: string | null): T | null {
  return values.find((one) => one === value) ?? null;
}
