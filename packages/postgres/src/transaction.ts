import type pg from 'pg';

/** What a piece of work in a transaction ends with: kept, or taken back although nothing is wrong. */
export type Ending<T> = { readonly keep: boolean; readonly value: T };

/** Runs `work` in a transaction of one client of the pool; `keep: false` rolls back and still returns the value. */
export async function transaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Ending<T>>,
  begin = 'begin',
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const { keep, value } = await work(client);
    await client.query(keep ? 'commit' : 'rollback');
    return value;
  } catch (error) {
    // A client that cannot even roll back is not given to anybody else.
    await client.query('rollback').catch((cause: Error) => (broken = cause));
    throw error;
  } finally {
    client.release(broken);
  }
}
