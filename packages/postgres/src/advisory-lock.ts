import type pg from 'pg';

/** Takes a lock of the whole database on a connection of its own; null when somebody else holds it. Gone with the process. */
export async function tryAdvisoryLock(pool: pg.Pool, lock: number): Promise<(() => Promise<void>) | null> {
  const client = await pool.connect();
  let taken = false;
  try {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      lock,
    ]);
    taken = rows[0]?.taken === true;
  } finally {
    if (!taken) client.release();
  }
  if (!taken) return null;
  return async () => {
    let broken: Error | undefined;
    await client.query('select pg_advisory_unlock($1)', [lock]).catch((error: Error) => (broken = error));
    client.release(broken);
  };
}
