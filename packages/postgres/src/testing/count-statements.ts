import pg from 'pg';

/** What this process sent to any database while `work` ran, in order: names of prepared statements, else their text. */
export async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const seen: string[] = [];
  const { prototype } = pg.Client;
  const original = prototype.query;
  prototype.query = function (this: pg.Client, ...args: unknown[]): unknown {
    const [query] = args as [string | { name?: string; text?: string }];
    seen.push(typeof query === 'string' ? query : (query.name ?? query.text ?? '?'));
    return Reflect.apply(original, this, args);
  } as typeof original;
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return seen;
}
