import type { DatabaseConnection } from '@capstan/postgres';
import pg from 'pg';
import type { Floor } from './chain-floor.js';

const SETUP = `
create table if not exists floor_wide(run int, id int, state smallint not null default 0, started_at timestamptz, done_at timestamptz, primary key (run, id)) with (fillfactor = 60);`;

const TRANSITION = `
update floor_wide w set state = u.state, done_at = case when u.state = 2 then now() end, started_at = case when u.state = 1 then now() else w.started_at end
from unnest($2::int[], $3::smallint[]) u (id, state) where w.run = $1 and w.id = u.id`;

/** The floor of a fan-out: ids chosen in memory, what ended and what starts written together in one statement. */
export async function fanoutFloor(
  connection: DatabaseConnection,
  width: number,
  concurrency: number,
): Promise<Floor> {
  const client = new pg.Client({ ...connection, options: '-c plan_cache_mode=force_generic_plan' });
  await client.connect();
  await client.query(SETUP);
  let run = 0;
  const once = async (): Promise<number> => {
    run += 1;
    await client.query('insert into floor_wide select $1::int, g from generate_series(1, $2::int) g', [
      run,
      width,
    ]);
    const begun = performance.now();
    let next = 1;
    let ended: number[] = [];
    for (let done = 0; done < width; ) {
      const starts: number[] = [];
      while (next <= width && starts.length < concurrency) starts.push(next++);
      const ids = [...ended, ...starts];
      await client.query({
        name: 'floor-wide',
        text: TRANSITION,
        values: [run, ids, ids.map((_, i) => (i < ended.length ? 2 : 1))],
      });
      done += ended.length;
      ended = starts;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return performance.now() - begun;
  };
  return { run: once, stop: () => client.end() };
}
