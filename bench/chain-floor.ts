import type { DatabaseConnection } from '@capstan/postgres';
import pg from 'pg';

const SETUP = `
create table if not exists floor_step(run int, id int, state smallint not null default 0, pending smallint not null default 0, started_at timestamptz, done_at timestamptz, primary key (run, id)) with (fillfactor = 60);
create table if not exists floor_edge(run int, src int, dst int, primary key (run, src, dst));`;

const TRANSITION = `
with done as (update floor_step set state = 2, done_at = now() where run = $1 and id = any($2::int[]) returning id),
next as (select dst, count(*)::int n from floor_edge where run = $1 and src = any($2::int[]) group by dst)
update floor_step s set pending = s.pending - next.n, state = case when s.pending = next.n then 1 else s.state end,
  started_at = case when s.pending = next.n then now() end
from next where s.run = $1 and s.id = next.dst returning s.id, s.state`;

export interface Floor {
  /** One run, in milliseconds; what it inserts before is not timed. */
  run(): Promise<number>;
  stop(): Promise<void>;
}

/** The floor of a chain: one statement, one commit per transition, no events, no evidence. */
export async function chainFloor(connection: DatabaseConnection, jobs: number): Promise<Floor> {
  const client = new pg.Client({ ...connection, options: '-c plan_cache_mode=force_generic_plan' });
  await client.connect();
  await client.query(SETUP);
  let run = 0;
  const once = async (): Promise<number> => {
    run += 1;
    await client.query(
      'insert into floor_step select $1::int, g, 0, case when g = 1 then 0 else 1 end from generate_series(1, $2::int) g',
      [run, jobs],
    );
    await client.query(
      'insert into floor_edge select $1::int, g, g + 1 from generate_series(1, $2::int - 1) g',
      [run, jobs],
    );
    const started = performance.now();
    await client.query('update floor_step set state = 1, started_at = now() where run = $1 and id = 1', [
      run,
    ]);
    for (let ids = [1]; ids.length > 0; ) {
      const { rows } = await client.query<{ id: number; state: number }>({
        name: 'floor-transition',
        text: TRANSITION,
        values: [run, ids],
      });
      ids = rows.filter((r) => r.state === 1).map((r) => r.id);
    }
    return performance.now() - started;
  };
  return { run: once, stop: () => client.end() };
}
