/** Opens psql's connection: address, user and password by libpq's rules, and its words when that fails. */
import { readFileSync, statSync } from 'node:fs';
import pg from 'pg';
import { serverAddress } from './server-address.mjs';
import { currentUser, fail, isThere } from './world.mjs';

/** A connected client; ends the program with exit code 2 when there is no connection to be had. */
export async function openConnection({ host, port, user, database }) {
  const address = serverAddress(host, port);
  const role = user ?? process.env.PGUSER ?? currentUser();
  const name = database ?? process.env.PGDATABASE ?? role;
  const stored = address.socket === undefined ? storedPassword(address, name, role) : undefined;
  const password = process.env.PGPASSWORD ?? stored;
  const start =
    address.socket === undefined
      ? `connection to server at "${address.host}", port ${address.port} failed: `
      : `connection to server on socket "${address.socket}" failed: `;

  // One id stands for every user of a sandbox host, so the server cannot tell root from postgres: peer is kept here.
  if (address.socket !== undefined && isThere(address.socket) && role !== currentUser()) {
    return fail(`psql: error: ${start}FATAL:  Peer authentication failed for user "${role}"`, 2);
  }
  const client = new pg.Client({
    host: address.host,
    port: address.port,
    user: role,
    database: name,
    // A function, so that the library does not look for a password file of its own.
    password: () => password ?? '',
    ssl: false,
    connectionTimeoutMillis: Number(process.env.PGCONNECT_TIMEOUT ?? 0) * 1000,
    application_name: 'psql',
    types: { getTypeParser: () => (text) => text },
  });
  // A server that stops ends the connection; the statement in flight reports it.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    const source = stored !== undefined && process.env.PGPASSWORD === undefined && error.code === '28P01';
    const tail = source ? `\npassword retrieved from file "${process.env.PGPASSFILE}"` : '';
    return fail(`psql: error: ${start}${connectWords(error, address)}${tail}`, 2);
  }
  return { client, user: role, database: name, address };
}

function connectWords(error, address) {
  const where = address.socket === undefined ? 'on that host and accepting TCP/IP' : 'locally and accepting';
  const place = address.socket === undefined ? 'connections?' : 'connections on that socket?';
  const running = `\n\tIs the server running ${where} ${place}`;
  if (error.code === 'ECONNREFUSED') return `Connection refused${running}`;
  if (error.code === 'ENOENT') return `No such file or directory${running}`;
  if (error.code === 'EACCES') return `Permission denied${running}`;
  if (/timeout/.test(error.message) && error.severity === undefined) return 'timeout expired';
  if (/client password must be/.test(error.message)) return 'fe_sendauth: no password supplied';
  return error.severity === undefined ? error.message : `${error.severity}:  ${error.message}`;
}

/** The password file's first line that fits: `host:port:database:user:password`, `*` for any. */
function storedPassword(address, database, user) {
  const file = process.env.PGPASSFILE ?? `${process.env.HOME ?? ''}/.pgpass`;
  const about = statSync(file, { throwIfNoEntry: false });
  if (about === undefined) return undefined;
  if (!about.isFile()) {
    process.stderr.write(`WARNING: password file "${file}" is not a plain file\n`);
    return undefined;
  }
  if ((about.mode & 0o077) !== 0) {
    process.stderr.write(
      `WARNING: password file "${file}" has group or world access; permissions should be u=rw (0600) or less\n`,
    );
    return undefined;
  }
  const wanted = [address.host, String(address.port), database, user];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const fields = splitFields(line);
    if (fields.length === 5 && wanted.every((text, index) => fields[index] === '*' || fields[index] === text))
      return fields[4];
  }
  return undefined;
}

function splitFields(line) {
  const fields = [''];
  for (let at = 0; at < line.length; at += 1) {
    const escaped = line[at] === '\\' && at + 1 < line.length;
    if (escaped) at += 1;
    if (!escaped && line[at] === ':' && fields.length < 5) fields.push('');
    else fields[fields.length - 1] += line[at];
  }
  return fields;
}
