import type { Generator } from '@capstan/model';

const LENGTHS = { least: 8, most: 256 } as const;

/** `password(32)` or `token(20)`; null when it is neither, or its length is below 8 or above 256. */
export function parseGenerator(source: string): Generator | null {
  const match = /^(password|token)\(\s*(\d{1,3})\s*\)$/.exec(source);
  const length = Number(match?.[2]);
  if (match === null || length < LENGTHS.least || length > LENGTHS.most) return null;
  return { kind: match[1] as Generator['kind'], length };
}
