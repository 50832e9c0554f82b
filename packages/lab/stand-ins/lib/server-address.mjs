/** Where psql and pg_isready connect to, by libpq's rules and Debian's: local socket, else PGHOST, else -h. */
import { join } from 'node:path';
import { clusters } from './cluster.mjs';
import { socketFolder } from './server-process.mjs';

/** `{socket?, host, port, shown}`: `shown` is how the tools name the place. */
export function serverAddress(host, port) {
  const chosen = host ?? process.env.PGHOST ?? '';
  const number = Number(port ?? process.env.PGPORT ?? defaultPort());
  if (chosen !== '' && !chosen.startsWith('/')) {
    return { host: chosen, port: number, shown: `${chosen}:${number}` };
  }
  const folder = chosen === '' ? socketFolder() : chosen;
  return {
    socket: join(folder, `.s.PGSQL.${number}`),
    folder,
    host: folder,
    port: number,
    shown: `${folder}:${number}`,
  };
}

/** Debian's wrapper takes the port of the first cluster; 5432 where there is none. */
function defaultPort() {
  return clusters().toSorted((a, b) => a.port - b.port)[0]?.port ?? 5432;
}
