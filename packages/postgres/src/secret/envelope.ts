import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { CapstanError } from '@capstan/model';

/** What a sealed value belongs to; a row moved to another name, version or environment does not open. */
export interface SealedFor {
  readonly environmentId: string;
  readonly name: string;
  readonly version: number;
}

export interface Envelope {
  readonly wrappedKey: Buffer;
  readonly sealed: Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals a value with a data key of its own, and the data key with the key-encryption key. */
export function seal(kek: Buffer, where: SealedFor, value: Uint8Array): Envelope {
  const dataKey = randomBytes(32);
  return {
    wrappedKey: encrypt(kek, bound('key', where), dataKey),
    sealed: encrypt(dataKey, bound('value', where), value),
  };
}

/** Opens an envelope; throws `secret_damaged` when it, or what it belongs to, was changed. */
export function open(kek: Buffer, where: SealedFor, envelope: Envelope): Buffer {
  try {
    const dataKey = decrypt(kek, bound('key', where), envelope.wrappedKey);
    return decrypt(dataKey, bound('value', where), envelope.sealed);
  } catch (cause) {
    throw damaged(where, cause);
  }
}

/** Wraps the data key of a sealed value with another key; the value itself stays as it is. Throws `secret_damaged` like {@link open}. */
export function rewrap(from: Buffer, to: Buffer, where: SealedFor, wrappedKey: Uint8Array): Buffer {
  try {
    return encrypt(to, bound('key', where), decrypt(from, bound('key', where), Buffer.from(wrappedKey)));
  } catch (cause) {
    throw damaged(where, cause);
  }
}

function damaged({ name, version }: SealedFor, cause: unknown): CapstanError {
  return new CapstanError(
    'secret_damaged',
    `the secret ${name} (version ${version}) was changed in the database`,
    { cause },
  );
}

function bound(what: string, { environmentId, name, version }: SealedFor): Buffer {
  // JSON keeps the parts apart: no two triples have one text.
  return Buffer.from(JSON.stringify(['capstan/secret/v1', what, environmentId, name, version]));
}

function encrypt(key: Buffer, additional: Buffer, value: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(additional);
  return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, additional: Buffer, sealed: Buffer): Buffer {
  const end = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(additional)
    .setAuthTag(sealed.subarray(end));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, end)), decipher.final()]);
}
