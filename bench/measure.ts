import type pg from 'pg';

/** The middle value; of an even count the lower middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** WAL flushes of the whole server so far: `pg_stat_io` from PostgreSQL 18 on, `pg_stat_wal` before. */
export async function walFlushes(client: pg.Client): Promise<number> {
  await client.query('select pg_stat_force_next_flush()');
  // Another session publishes its counters once it has been idle for 10 s; a shorter wait misses most of them.
  await new Promise((resolve) => setTimeout(resolve, 11_000));
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int version",
  );
  const sql =
    (rows[0]?.version ?? 0) >= 180_000
      ? "select coalesce(sum(fsyncs), 0)::int n from pg_stat_io where object = 'wal'"
      : 'select wal_sync::int n from pg_stat_wal';
  return (await client.query<{ n: number }>(sql)).rows[0]?.n ?? 0;
}

/** Two decimals: more is noise. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
