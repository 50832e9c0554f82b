import type pg from 'pg';

/** A prepared statement: parsed and planned once per connection, by its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** What can run a statement: the pool, or one client inside a transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'> | Pick<pg.Pool, 'query'>;

/** Runs a prepared statement. */
export function run<R extends pg.QueryResultRow>(
  db: Queryable,
  statement: Statement,
  values: unknown[],
): Promise<pg.QueryResult<R>> {
  return (db as pg.Pool).query<R>({ ...statement, values });
}
