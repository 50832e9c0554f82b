import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { CapstanError } from '@capstan/model';
import type { KeyEncryptionKey } from './key-encryption-key.js';
import {
  deriveFingerprintKey,
  makeKeyFile,
  readKeyBytes,
  readKeyFile,
  syncFolder,
} from './key-encryption-key.js';

/**
 * The keys of one data folder: `secret/key-encryption-key`, and during a rotation `….next` beside it. Which of them seals
 * is said by the database, so that no process goes on with the old one. A key once read stays in memory: a row read before
 * its data key was wrapped anew still opens.
 */
export class KeyRing {
  readonly #file: string;
  readonly #known = new Map<string, KeyEncryptionKey>();
  readonly #fingerprintFile: string;
  #primary: KeyEncryptionKey;
  #next: KeyEncryptionKey | null = null;
  /** For {@link Secrets.fingerprint}. It outlives a rotation, else every proof made with a secret would be void. */
  readonly fingerprintKey: Buffer;

  constructor(dataDir: string) {
    const folder = join(dataDir, 'secret');
    this.#file = join(folder, 'key-encryption-key');
    this.#fingerprintFile = join(folder, 'fingerprint-key');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (readKeyFile(this.#file) === null) makeKeyFile(this.#file);
    this.#primary = this.#read();
    this.fingerprintKey = readKeyBytes(this.#fingerprintFile) ?? deriveFingerprintKey(this.#primary);
  }

  get primary(): KeyEncryptionKey {
    return this.#primary;
  }

  get next(): KeyEncryptionKey | null {
    return this.#next;
  }

  /** Of every key known here. */
  get ids(): readonly string[] {
    return [...this.#known.keys()];
  }

  /** Looks into the folder again for a key that it does not know: another process may have made it. */
  get(id: string): KeyEncryptionKey | null {
    const known = this.#known.get(id);
    if (known) return known;
    this.reload();
    return this.#known.get(id) ?? null;
  }

  reload(): void {
    this.#primary = this.#read();
  }

  /** The key to rotate to: the one that lies there already, else a new one. Throws `key_unchanged` when it is the present one. */
  prepareNext(): KeyEncryptionKey {
    makeKeyFile(this.#nextFile);
    this.reload();
    const next = this.#next;
    if (next === null || next.id === this.#primary.id)
      throw new CapstanError('key_unchanged', `${this.#nextFile} holds the present key: remove it.`);
    return next;
  }

  /** Makes the next key the only one, in one step. Nothing may be sealed with the former any more. */
  promote(): void {
    // Before the key it is derived from is gone.
    makeKeyFile(this.#fingerprintFile, this.fingerprintKey);
    renameSync(this.#nextFile, this.#file);
    syncFolder(join(this.#file, '..'));
    this.reload();
  }

  get #nextFile(): string {
    return `${this.#file}.next`;
  }

  #read(): KeyEncryptionKey {
    // The next one first: a rotation that ends between the two reads moves it to where the second looks.
    this.#next = readKeyFile(this.#nextFile);
    const primary = readKeyFile(this.#file);
    if (primary === null) throw new CapstanError('key_damaged', `${this.#file} is gone.`);
    if (this.#next?.id === primary.id) this.#next = readKeyFile(this.#nextFile);
    for (const key of [primary, this.#next]) if (key) this.#known.set(key.id, key);
    return primary;
  }
}
