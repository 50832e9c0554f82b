import { createHmac, randomInt } from 'node:crypto';
import type { Ids, Secrets } from '@capstan/engine';
import { CapstanError } from '@capstan/model';
import type { DataSource, EntityManager } from 'typeorm';
import { In, Not } from 'typeorm';
import { managerOf } from '../current-manager.js';
import { EnvironmentRow } from '../entity/environment.js';
import { SecretRow } from '../entity/secret.js';
import { overLostConnections } from '../lost-connection.js';
import { open, seal } from './envelope.js';
import type { KeyEncryptionKey } from './key-encryption-key.js';
import type { KeyRing } from './key-ring.js';

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Secrets at rest, each version sealed for its place and under this installation's key. */
export function secretStore(source: DataSource, ids: Ids, ring: KeyRing): Secrets {
  const current = () => managerOf(source);
  return {
    async put(environment, name, bytes) {
      const id = ids.next('sec');
      for (let tries = 1; ; tries += 1) {
        try {
          await overLostConnections(async () => {
            const there = await current().findOne(SecretRow, { select: { id: true }, where: { id } });
            if (!there) await insert(source, ring, { id, environment, name, bytes });
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
        const row = await current().findOneBy(SecretRow, { id: ref });
        if (!row) return null;
        const kek = ring.get(row.keyId);
        if (!kek) throw unknownKey(row.keyId, ring);
        return new Uint8Array(open(kek.key, row, row));
      }),
    fingerprint: (bytes) => createHmac('sha256', ring.fingerprintKey).update(bytes).digest('hex'),
    generate: (_, length) => {
      // randomInt draws again instead of folding, so each sign is as likely as every other.
      return Array.from({ length }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join('');
    },
  };
}

/** Throws `key_unknown` when the database holds secrets that this installation's keys cannot open. */
export async function requireKey(source: DataSource, ring: KeyRing): Promise<void> {
  const other = await source.manager.findOne(SecretRow, {
    select: { id: true, keyId: true },
    where: { keyId: Not(In([...ring.ids])) },
  });
  if (other) throw unknownKey(other.keyId, ring);
}

/** The refusal of a key that no file holds. */
export function unknownKey(found: string, ring: KeyRing): CapstanError {
  return new CapstanError(
    'key_unknown',
    `The database's secrets are sealed with key ${found}, but the data folder's secret/key-encryption-key is ${ring.primary.id}: restore the file of that key.`,
  );
}

async function insert(
  source: DataSource,
  ring: KeyRing,
  secret: { id: string; environment: string; name: string; bytes: Uint8Array },
): Promise<void> {
  const { id, name, bytes } = secret;
  await managerOf(source).transaction(async (tx) => {
    const environment = await tx.findOneBy(EnvironmentRow, { name: secret.environment });
    if (!environment)
      throw new CapstanError('unknown_environment', `there is no environment ${secret.environment}`);
    const kek = await sealingKey(tx, ring);
    const where = { environmentId: environment.id, name };
    const version = ((await tx.maximum(SecretRow, 'version', where)) ?? 0) + 1;
    const envelope = seal(kek.key, { ...where, version }, bytes);
    await tx.insert(SecretRow, { id, ...where, version, keyId: kek.id, ...envelope });
  });
}

/** Held until the insert commits: a rotation that begins meanwhile finds the row when it looks for the old key's. */
async function sealingKey(tx: EntityManager, ring: KeyRing): Promise<KeyEncryptionKey> {
  const rows = await tx.query<{ key_id: string | null }[]>('select key_id from installation for share');
  const id = rows[0]?.key_id ?? null;
  if (id === null) return ring.primary;
  const kek = ring.get(id);
  if (!kek) throw unknownKey(id, ring);
  return kek;
}
