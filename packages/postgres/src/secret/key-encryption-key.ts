import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CapstanError } from '@capstan/model';

/** The key that encrypts data keys. It lies beside the database, never in it or its dump. */
export interface KeyEncryptionKey {
  /** Derived from the key, so a file that was exchanged is noticed. */
  readonly id: string;
  readonly key: Buffer;
  /** For {@link Secrets.fingerprint}: another key, so that fingerprints say nothing about encryption. */
  readonly fingerprintKey: Buffer;
}

const KEY_BYTES = 32;

/** Reads `secret/key-encryption-key`, made at the first call; processes that start at once agree on one. */
export function loadKeyEncryptionKey(dataDir: string): KeyEncryptionKey {
  const folder = join(dataDir, 'secret');
  const file = join(folder, 'key-encryption-key');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  try {
    // A link is made whole or not at all, and never over one that is there.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== KEY_BYTES)
    throw new CapstanError('key_damaged', `${file} does not hold a key of ${KEY_BYTES} bytes.`);
  return {
    id: createHash('sha256').update('capstan/key-id/v1\n').update(key).digest('hex').slice(0, 16),
    key,
    fingerprintKey: Buffer.from(hkdfSync('sha256', key, '', 'capstan/fingerprint/v1', KEY_BYTES)),
  };
}
