import type { DatabaseConnection } from '@capstan/postgres';
import pg from 'pg';

/** Connections for a test's own questions. Its end resolves before its sockets close, and the server may stop first. */
export function sqlPool(connection: DatabaseConnection): pg.Pool {
  const pool = new pg.Pool({ ...connection, max: 3 });
  pool.on('error', () => undefined);
  return pool;
}
