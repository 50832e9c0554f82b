/** What a person pasted from the console of a host, beside the fingerprint that the network offered. */
export type FingerprintComparison =
  | { readonly kind: 'empty' }
  | { readonly kind: 'match' }
  | { readonly kind: 'mismatch'; readonly pasted: string }
  /** The public key itself, or a fingerprint of the old kind: neither can be compared by eye or by text. */
  | { readonly kind: 'public_key' }
  | { readonly kind: 'md5' }
  | { readonly kind: 'unreadable' };

/**
 * Compares what `ssh-keygen -lf` printed with what the host offered. A whole line, several lines (one for each key of
 * the host) and the bare fingerprint are all understood.
 */
export function compareFingerprint(offered: string, pasted: string): FingerprintComparison {
  if (pasted.trim() === '') return { kind: 'empty' };
  const found = [...pasted.matchAll(/\bSHA256:([A-Za-z0-9+/]{43})(?:=|(?![A-Za-z0-9+/]))/g)].map(
    ([, digest]) => `SHA256:${digest}`,
  );
  const [first] = found;
  if (found.includes(offered.replace(/=+$/, ''))) return { kind: 'match' };
  if (first !== undefined) return { kind: 'mismatch', pasted: first };
  if (/\b(ssh|ecdsa)-[a-z0-9-]+ AAAA/.test(pasted)) return { kind: 'public_key' };
  if (/(?:^|[:\s])(?:[0-9a-f]{2}:){15}[0-9a-f]{2}\b/i.test(pasted)) return { kind: 'md5' };
  return { kind: 'unreadable' };
}
