/** Where a database is and as whom to enter it. `host` is an address or the folder of a Unix socket. */
export interface DatabaseConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** The same as one `postgres://` address, for processes that are started with it. */
export function connectionUrl(connection: DatabaseConnection): string {
  const who = `${encodeURIComponent(connection.user)}:${encodeURIComponent(connection.password)}`;
  const database = encodeURIComponent(connection.database);
  if (!connection.host.startsWith('/'))
    return `postgres://${who}@${connection.host}:${connection.port}/${database}`;
  return `postgres://${who}@/${database}?host=${encodeURIComponent(connection.host)}&port=${connection.port}`;
}
