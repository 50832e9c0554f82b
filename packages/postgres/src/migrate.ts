import { randomBytes } from 'node:crypto';
import { CapstanError } from '@capstan/model';
import { Logger, runMigrations } from 'graphile-worker';
import type pg from 'pg';
import { MIGRATIONS, SCHEMA_VERSION } from './migration/all.js';
import type { Ending } from './transaction.js';
import { transaction } from './transaction.js';

/** Of this product alone: two processes that start at once migrate one after the other. */
const MIGRATION_LOCK = 4_207_194_001;

/** Brings the schema to this build's and notices a restored database. Throws `schema_newer` when the build is the older. */
export async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(`create table if not exists schema_migrations (
      version integer primary key, name text not null, applied_at timestamptz(3) not null default now())`);
    const present = await schemaVersion(client);
    refuseNewer(present);
    for (const { version, name, sql } of MIGRATIONS.slice(present)) {
      await transaction(pool, async (step) => {
        await step.query(sql);
        await step.query('insert into schema_migrations (version, name) values ($1, $2)', [version, name]);
        return { keep: true, value: undefined };
      });
    }
    // Workers of two versions must not overlap across a breaking step of the queue, so it is migrated here and only here.
    await runMigrations({ pgPool: pool, logger: QUIET });
    await transaction(pool, noticeRestore);
  } finally {
    await client.query('select pg_advisory_unlock_all()').catch(() => undefined);
    client.release();
  }
}

/** The newest step that the database has; 0 = none. */
export async function schemaVersion(db: pg.Pool | pg.ClientBase): Promise<number> {
  const { rows } = await db.query<{ present: boolean }>(
    `select to_regclass('schema_migrations') is not null as present`,
  );
  if (!rows[0]?.present) return 0;
  const found = await db.query<{ version: number }>(
    'select coalesce(max(version), 0) as version from schema_migrations',
  );
  return found.rows[0]?.version ?? 0;
}

/** Throws `schema_newer` for a schema that this build does not know. */
export function refuseNewer(version: number): void {
  if (version <= SCHEMA_VERSION) return;
  throw new CapstanError(
    'schema_newer',
    `The database has schema ${version}, this build knows ${SCHEMA_VERSION}: start the newer build, or restore a backup of its time.`,
  );
}

/**
 * A dump restored into another cluster brings transaction numbers that mean nothing there: readers across operations
 * would wait for numbers long past or still to come. Its feed begins a new epoch, its old events come first.
 */
async function noticeRestore(client: pg.ClientBase): Promise<Ending<void>> {
  const { rows } = await client.query<{ here: string; known: string | null }>(
    `select (select system_identifier::text from pg_control_system()) as here,
            (select system_identifier from installation) as known`,
  );
  const { here = '', known = null } = rows[0] ?? {};
  if (here === known) return { keep: false, value: undefined };
  if (known !== null) await client.query(`update events set tx = '3'`);
  await client.query(
    `insert into installation (feed_epoch, system_identifier) values ($1, $2)
     on conflict (singleton) do update set feed_epoch = excluded.feed_epoch, system_identifier = excluded.system_identifier`,
    [randomBytes(8).toString('hex'), here],
  );
  return { keep: true, value: undefined };
}

const QUIET = new Logger(() => () => undefined);
