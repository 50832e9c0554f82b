import type { JsonValue } from '@capstan/model';
import type { DocumentKind } from './document-report.js';

/** Keys that say by themselves what a document is. */
const KIND_KEYS: readonly DocumentKind[] = [
  'intent',
  'job',
  'check',
  'scenario',
  'plan_patch',
  'intervention',
  'customizations',
  'failure',
  'test',
];
const PACK_KEYS = ['pack', 'resource_types', 'capabilities', 'artifacts', 'permissions'] as const;
const CONTRACT_KEYS = ['inputs', 'outputs'] as const;

/** Every key that can begin a document, for the nearest name. */
export const DOCUMENT_KEYS: readonly string[] = [...KIND_KEYS, ...PACK_KEYS, ...CONTRACT_KEYS];

/** What a document is, by its shape: a contract has no kind key, and parts of a pack are a pack (S36). */
export function documentKind(value: JsonValue): DocumentKind | 'unknown' {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return 'unknown';
  const kind = KIND_KEYS.find((key) => Object.hasOwn(value, key));
  if (kind !== undefined) return kind;
  if (PACK_KEYS.some((key) => Object.hasOwn(value, key))) return 'pack';
  return CONTRACT_KEYS.some((key) => Object.hasOwn(value, key)) ? 'contract' : 'unknown';
}
