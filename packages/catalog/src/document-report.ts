import type { JsonValue, Problem } from '@capstan/model';

/** What a document can be. `failure` and `test` live in packs only; nothing executes them yet. */
export const DOCUMENT_KINDS = [
  'intent',
  'job',
  'contract',
  'scenario',
  'plan_patch',
  'intervention',
  'customizations',
  'pack',
  'check',
  'failure',
  'test',
] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** What a check of one document says. A file with several documents gives several reports. */
export interface DocumentReport {
  readonly file: string;
  readonly kind: DocumentKind | 'unknown';
  /** True when there is no problem and nothing is missing, neither in the document nor around it. */
  readonly complete: boolean;
  /** The one normal form, snake_case; null where a problem stands in the way. */
  readonly normal: JsonValue | null;
  /** `<what> <name>` of what the document lacks (`key run`) or names and nobody declares (`check kubelet_active`). */
  readonly missing: readonly string[];
  readonly problems: readonly Problem[];
}
