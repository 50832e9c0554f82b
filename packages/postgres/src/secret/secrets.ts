import { createHmac, randomInt } from 'node:crypto';
import type { Ids, Secrets } from '@capstan/engine';
import { CapstanError } from '@capstan/model';
import type { DataSource } from 'typeorm';
import { Not } from 'typeorm';
import { EnvironmentRow } from '../entity/environment.js';
import { SecretRow } from '../entity/secret.js';
import { overLostConnections } from '../lost-connection.js';
import { open, seal } from './envelope.js';
import type { KeyEncryptionKey } from './key-encryption-key.js';

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Secrets at rest, each version sealed for its place and under this installation's key. */
export function secretStore(source: DataSource, ids: Ids, kek: KeyEncryptionKey): Secrets {
  const db = source.manager;
  return {
    async put(environment, name, bytes) {
      const id = ids.next('sec');
      for (let tries = 1; ; tries += 1) {
        try {
          await overLostConnections(async () => {
            const there = await db.findOne(SecretRow, { select: { id: true }, where: { id } });
            if (!there) await insert(source, kek, { id, environment, name, bytes });
          });
          return id;
        } catch (error) {
          // Two versions of one name at once: the number is part of what is sealed, so the loser seals again.
          if (
            tries >= 10 ||
            (error as { constraint?: string }).constraint !== 'secrets_environment_id_name_version_key'
          )
            throw error;
        }
      }
    },
    get: (ref) =>
      overLostConnections(async () => {
        const row = await db.findOneBy(SecretRow, { id: ref });
        if (!row) return null;
        if (row.keyId !== kek.id) throw unknownKey(row.keyId, kek.id);
        return new Uint8Array(open(kek.key, row, row));
      }),
    fingerprint: (bytes) => createHmac('sha256', kek.fingerprintKey).update(bytes).digest('hex'),
    generate: (_, length) => {
      // randomInt draws again instead of folding, so each sign is as likely as every other.
      return Array.from({ length }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join('');
    },
  };
}

/** Throws `key_unknown` when the database holds secrets that this installation's key cannot open. */
export async function requireKey(source: DataSource, kek: KeyEncryptionKey): Promise<void> {
  const other = await source.manager.findOne(SecretRow, {
    select: { id: true, keyId: true },
    where: { keyId: Not(kek.id) },
  });
  if (other) throw unknownKey(other.keyId, kek.id);
}

async function insert(
  source: DataSource,
  kek: KeyEncryptionKey,
  secret: { id: string; environment: string; name: string; bytes: Uint8Array },
): Promise<void> {
  const { id, name, bytes } = secret;
  const environment = await source.manager.findOneBy(EnvironmentRow, { name: secret.environment });
  if (!environment)
    throw new CapstanError('unknown_environment', `there is no environment ${secret.environment}`);
  const where = { environmentId: environment.id, name };
  const version = ((await source.manager.maximum(SecretRow, 'version', where)) ?? 0) + 1;
  await source.manager.insert(SecretRow, {
    id,
    ...where,
    version,
    keyId: kek.id,
    ...seal(kek.key, { ...where, version }, bytes),
  });
}

function unknownKey(found: string, held: string): CapstanError {
  return new CapstanError(
    'key_unknown',
    `The database's secrets are sealed with key ${found}, but the data folder's secret/key-encryption-key is ${held}: restore the file of that key.`,
  );
}
