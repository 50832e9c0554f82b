import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CapstanError } from '@capstan/model';

/** The key that encrypts data keys. It lies beside the database, never in it or its dump. */
export interface KeyEncryptionKey {
  /** Derived from the key, so a file that was exchanged is noticed. */
  readonly id: string;
  readonly key: Buffer;
}

const KEY_BYTES = 32;

/** The key in a file; null when there is no file. Throws `key_damaged` for anything that is no key. */
export function readKeyFile(file: string): KeyEncryptionKey | null {
  const key = readKeyBytes(file);
  if (key === null) return null;
  return {
    id: createHash('sha256').update('capstan/key-id/v1\n').update(key).digest('hex').slice(0, 16),
    key,
  };
}

/** The bytes of {@link readKeyFile}. */
export function readKeyBytes(file: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES)
    throw new CapstanError('key_damaged', `${file} does not hold a key of ${KEY_BYTES} bytes.`);
  return key;
}

/** Writes a key (a new one unless given) where there is none, closed to others and on disk; one that is there stays. */
export function makeKeyFile(file: string, key: Uint8Array = randomBytes(KEY_BYTES)): void {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const text = `${Buffer.from(key).toString('base64')}\n`;
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
  try {
    // A link is made whole or not at all, and never over one that is there.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  syncFolder(dirname(file));
}

/** Names in a folder reach the disk by the folder. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** For fingerprints: another key, so that they say nothing about encryption. */
export function deriveFingerprintKey({ key }: KeyEncryptionKey): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'capstan/fingerprint/v1', KEY_BYTES));
}
