import { createHash } from 'node:crypto';

/** `SHA256:…` as OpenSSH prints it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/** Whether two fingerprints name one key; padding and surrounding space do not count. */
export function sameFingerprint(a: string, b: string): boolean {
  return bare(a) === bare(b);
}

/**
 * Kinds of host keys, best first. A host has one key of each kind and shows the kind that the client prefers, so a key
 * that was pinned in another kind is asked for by name before a host counts as changed.
 */
export const HOST_KEY_KINDS = [
  ['ssh-ed25519'],
  ['ecdsa-sha2-nistp256'],
  ['ecdsa-sha2-nistp384'],
  ['ecdsa-sha2-nistp521'],
  ['rsa-sha2-512', 'rsa-sha2-256'],
] as const;

export type HostKeyKind = (typeof HOST_KEY_KINDS)[number];

/** The kind of a key in wire form: it begins with the length and the name of its type. */
export function kindOf(key: Buffer): HostKeyKind | null {
  const type = key.toString('latin1', 4, 4 + key.readUInt32BE(0));
  const wanted = type === 'ssh-rsa' ? 'rsa-sha2-512' : type;
  return HOST_KEY_KINDS.find((kind) => (kind as readonly string[]).includes(wanted)) ?? null;
}

function bare(fingerprint: string): string {
  return fingerprint.trim().replace(/=+$/, '');
}
