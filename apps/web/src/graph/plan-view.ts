import type { PlanNodeKind } from '@capstan/model';

/** A plan as the screens hold it: light, whole, its texts already in the reader's language. */
export interface PlanView {
  readonly stages: readonly { readonly id: string; readonly title: string }[];
  readonly jobs: readonly { readonly id: string; readonly title: string }[];
  /** In an order that respects every edge. */
  readonly nodes: readonly PlanNodeView[];
}

export interface PlanNodeView {
  readonly key: string;
  readonly kind: PlanNodeKind;
  readonly stage: string;
  readonly job: string | null;
  /** Resource key of the host, `node/<name>`. */
  readonly target: string | null;
  readonly dependsOn: readonly string[];
  readonly origin: string;
}

/** `h1` for `node/h1`: people know hosts by their names. */
export function hostOf(target: string | null): string | null {
  return target === null ? null : target.replace(/^node\//, '');
}
