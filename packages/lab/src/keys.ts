import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import ssh2 from 'ssh2';

/** An ed25519 key pair in OpenSSH's formats. */
export interface SshKeyPair {
  readonly privateKey: string;
  /** `ssh-ed25519 AAAA…`. */
  readonly publicKey: string;
}

/** Reads the key pair kept at `file` (and `file.pub`); makes it, 0600, when there is none. */
export function keptKeyPair(file: string): SshKeyPair {
  if (existsSync(file) && existsSync(`${file}.pub`)) {
    return { privateKey: readFileSync(file, 'utf8'), publicKey: readFileSync(`${file}.pub`, 'utf8').trim() };
  }
  return replaceKeyPair(file);
}

/** Makes a new key pair at `file`, in place of the one that was there. */
export function replaceKeyPair(file: string): SshKeyPair {
  const made = readableKeyPair();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // The private half is renamed last: a start that dies in between makes a new pair, never a torn one.
  writeWhole(`${file}.pub`, `${made.public.trim()}\n`, 0o644);
  writeWhole(file, made.private, 0o600);
  return { privateKey: made.private, publicKey: made.public.trim() };
}

/**
 * A new pair that ssh2 can read back: it writes a private key whose first byte is zero one byte short, which happens once
 * in 256 and then stops every later start (measured with ssh2 1.17).
 */
function readableKeyPair(): { readonly private: string; readonly public: string } {
  for (;;) {
    const made = ssh2.utils.generateKeyPairSync('ed25519');
    const halves = [ssh2.utils.parseKey(made.private), ssh2.utils.parseKey(made.public)];
    if (halves.every((half) => !(half instanceof Error))) return made;
  }
}

/** SHA-256 fingerprint of a public key line, as `ssh-keygen -l` prints it. */
export function fingerprintOf(publicKey: string): string {
  const blob = Buffer.from(publicKey.split(/\s+/)[1] ?? '', 'base64');
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`;
}

function writeWhole(file: string, text: string, mode: number): void {
  const temporary = `${file}.${process.pid}.new`;
  writeFileSync(temporary, text, { mode });
  chmodSync(temporary, mode);
  renameSync(temporary, file);
}
