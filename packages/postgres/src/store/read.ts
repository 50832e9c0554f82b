import type pg from 'pg';
import { overLostConnections } from '../lost-connection.js';
import type { Statement } from '../sql/statement.js';
import { run } from '../sql/statement.js';

/** Runs a reading statement, again when the connection breaks under it, and gives its rows. */
export type Read = <R>(statement: Statement, values: unknown[]) => Promise<readonly R[]>;

export function readOver(pool: pg.Pool): Read {
  return async <R>(statement: Statement, values: unknown[]) =>
    (await overLostConnections(() => run<R & pg.QueryResultRow>(pool, statement, values))).rows;
}
