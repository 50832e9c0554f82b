import { after } from 'node:test';
import type { Database } from '@capstan/postgres';
import { startTestDatabase, type TestDatabase } from '@capstan/postgres/testing';
import type pg from 'pg';
import { sqlPool } from './sql-pool.js';

/** The database of a test file, and connections for its own questions; both end after its tests, the connections before their server. */
export async function fileDatabase(): Promise<{
  readonly server: TestDatabase;
  readonly db: Database;
  readonly sql: pg.Pool;
}> {
  const server = await startTestDatabase();
  const sql = sqlPool(server.connection);
  after(async () => {
    await sql.end();
    await server.stop();
  });
  return { server, db: server.database, sql };
}
