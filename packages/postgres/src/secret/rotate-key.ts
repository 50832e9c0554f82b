import type { KeyRotation } from '@capstan/engine';
import type pg from 'pg';
import { tryAdvisoryLock } from '../advisory-lock.js';
import { transaction } from '../transaction.js';
import { rewrap } from './envelope.js';
import type { KeyRing } from './key-ring.js';
import { unknownKey } from './secrets.js';

/** Rotations exclude each other, whatever process asks. */
const ROTATION_LOCK = 4_207_194_002;

interface WrappedRow {
  readonly id: string;
  readonly environment_id: string;
  readonly name: string;
  readonly version: number;
  readonly key_id: string;
  readonly wrapped_key: Buffer;
}

/**
 * Wraps every data key anew, online and in batches; killed anywhere, the next call goes on. The order matters: the new key
 * is on disk before the database names it, no row can be sealed with the old one after that (inserts look there in their
 * own transaction), and the old key's file goes last, when no row refers to it.
 */
export async function rotateKey(
  pool: pg.Pool,
  ring: KeyRing,
  { batch = 100, progress = () => undefined }: { batch?: number; progress?: (rewrapped: number) => void },
): Promise<KeyRotation> {
  const unlock = await tryAdvisoryLock(pool, ROTATION_LOCK);
  if (!unlock) return { kind: 'busy' };
  try {
    ring.reload();
    const former = ring.primary.id;
    const active = await sealingKeyId(pool);
    const resumed = active !== null && active === ring.next?.id;
    if (active !== null && ring.get(active) === null) throw unknownKey(active, ring);
    const next = ring.prepareNext();
    if (!resumed) await pool.query('update installation set key_id = $1', [next.id]);
    let rewrapped = 0;
    for (;;) {
      const done = await transaction(pool, async (client) => {
        const { rows } = await client.query<WrappedRow>(
          `select id, environment_id, name, version, key_id, wrapped_key from secrets
           where key_id <> $1 order by id limit $2 for update`,
          [next.id, batch],
        );
        const wrapped = rows.map((row) => {
          const old = ring.get(row.key_id);
          if (!old) throw unknownKey(row.key_id, ring);
          const where = { environmentId: row.environment_id, name: row.name, version: row.version };
          return rewrap(old.key, next.key, where, row.wrapped_key);
        });
        await client.query(
          `update secrets s set key_id = $1, wrapped_key = n.wrapped_key
           from unnest($2::text[], $3::bytea[]) as n (id, wrapped_key) where s.id = n.id`,
          [next.id, rows.map((row) => row.id), wrapped],
        );
        return { keep: true, value: rows.length };
      });
      if (done === 0) break;
      rewrapped += done;
      progress(rewrapped);
    }
    ring.promote();
    return { kind: 'rotated', former, current: next.id, rewrapped, resumed };
  } finally {
    await unlock();
  }
}

/** Ends a rotation that another machine finished, or that was killed before its last step. */
export async function settleRotation(pool: pg.Pool, ring: KeyRing): Promise<void> {
  const { next } = ring;
  if (next === null || (await sealingKeyId(pool)) !== next.id) return;
  const { rows } = await pool.query('select from secrets where key_id <> $1 limit 1', [next.id]);
  if (rows.length > 0) return;
  const unlock = await tryAdvisoryLock(pool, ROTATION_LOCK);
  if (!unlock) return;
  try {
    ring.reload();
    if (ring.next?.id === next.id) ring.promote();
  } finally {
    await unlock();
  }
}

async function sealingKeyId(pool: pg.Pool): Promise<string | null> {
  const { rows } = await pool.query<{ key_id: string | null }>('select key_id from installation');
  return rows[0]?.key_id ?? null;
}
