import type { useTranslations } from 'next-intl';
import type { GraphNode } from './graph-model';
import type { NodeStatusView } from './status-source';

/** The words of `messages/<locale>/graph.json`. */
export type GraphWords = ReturnType<typeof useTranslations<'graph'>>;

/** The words of a status: a second try says so, whatever its status is [UX-R3]. */
export function statusWords(view: NodeStatusView | undefined, words: GraphWords): string {
  if (view === undefined) return words('status.planned');
  if (view.attempt > 1 && (view.status === 'running' || view.status === 'ready'))
    return words('status.retrying', { attempt: view.attempt });
  if (view.status === 'ready' && view.reason !== null) return words('status.waiting');
  return words(`status.${view.status}`);
}

/** What a screen reader says of a node: title, kind, host, status. */
export function nodeName(node: GraphNode, status: string, words: GraphWords): string {
  const kind = node.kind === 'job' ? null : words(`kind.${node.kind}`);
  return [node.title, kind, node.detail, status, node.added ? words('added') : null]
    .filter((part) => part !== null && part !== '')
    .join(', ');
}
