import type { Place, Problem } from '@capstan/model';
import { text as words } from '@capstan/model';

/** Limits of one file. Tokens are ours: 1 MiB of commas takes 12 s to parse, 100,000 of them 1 s. */
export const YAML_LIMITS = {
  bytes: 1024 * 1024,
  depth: 64,
  aliases: 100,
  tokens: 100_000,
  values: 100_000,
} as const;

/** The problem of a document that nests too deep. */
export function tooDeep(place: Place): Problem {
  return tooLarge(place, 'depth', YAML_LIMITS.depth, `at most ${YAML_LIMITS.depth} levels`);
}

/** The problem of a file over one of {@link YAML_LIMITS}. */
export function tooLarge(
  place: Place,
  what: keyof typeof YAML_LIMITS,
  limit: number,
  expected: string,
): Problem {
  return {
    code: 'document_too_large',
    text: words('doc.document_too_large', { what, limit }),
    place,
    expected,
  };
}
