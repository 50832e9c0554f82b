import { randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CapstanError } from '@capstan/model';
import pg from 'pg';
import type { DatabaseConnection } from '../connection.js';
import { connectionUrl } from '../connection.js';
import { nativeFolder, nativeMajor } from './binaries.js';
import { ensureCluster, SERVER_USER } from './cluster.js';
import { endFormerServer, endServer } from './former-server.js';
import type { ServerAddress } from './server-address.js';
import { releaseAddress, serverAddress } from './server-address.js';
import { serverIdentity } from './server-identity.js';
import type { ServerProcess } from './server-process.js';
import { spawnServer } from './server-process.js';

export interface EmbeddedOptions {
  /** Data in `postgres/`, the password in `secret/`. Made when absent. */
  readonly dataDir: string;
  /** `false` only for tests: a power cut then loses data. */
  readonly fsync?: boolean;
  /** Further server settings, `name=value`. */
  readonly settings?: readonly string[];
  readonly log?: (line: string) => void;
  /** Longest wait for recovery after a crash, ms; default 60,000. */
  readonly startTimeoutMs?: number;
  /** Where the socket's folder is made; default the system's folder for temporary files. */
  readonly socketParent?: string;
  /** Root only: where data and binaries go that the user nobody cannot reach; default `/var/lib/capstan`. */
  readonly fallbackDir?: string;
  /** Root only: the program that makes user namespaces; default `unshare`. */
  readonly unshare?: string;
}

/** A running PostgreSQL of our own. */
export interface EmbeddedServer {
  readonly connection: DatabaseConnection;
  readonly url: string;
  /** Folder with `bin/` and `lib/` of the server's binaries. */
  readonly nativeDir: string;
  readonly pid: number;
  /** Resolves with a sentence when the server is gone, asked for or not. */
  readonly ended: Promise<string>;
  /** Starts it anew at the same address, also after it ended by itself. */
  restart(): Promise<void>;
  /** Ends it within 5 s and removes the socket folder. */
  stop(): Promise<void>;
}

const DATABASE = 'capstan';

/**
 * Starts the PostgreSQL that the npm package ships; resolves when it accepts connections. Throws `already_running`
 * while another process of ours uses the folder, and one clear sentence for whatever else is in the way.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const log = options.log ?? (() => undefined);
  const dataDir = writableFolder(options.dataDir);
  const native = realpathSync(nativeFolder());
  const { fallbackDir = '/var/lib/capstan', unshare = 'unshare', fsync = true } = options;
  const identity = serverIdentity({ dataDir, native, log, fallbackDir, unshare });
  const starterFile = join(identity.home, 'postgres.starter');
  const former = await endFormerServer(join(identity.home, 'postgres'), starterFile, log);
  const password = serverPassword(dataDir, existsSync(join(identity.home, 'postgres')));
  const data = await ensureCluster(identity, password, fsync, nativeMajor(native));
  const settings = [
    ...(fsync ? [] : ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off']),
    ...(options.settings ?? []),
  ];
  const patienceMs = options.startTimeoutMs ?? 60_000;
  const connectionTo = ({ host, port }: ServerAddress): DatabaseConnection => ({
    host,
    port,
    user: SERVER_USER,
    password,
    database: DATABASE,
  });
  const launch = async (address: ServerAddress): Promise<ServerProcess> => {
    for (let attempt = 1; ; attempt += 1) {
      const server = spawnServer({
        identity,
        data,
        address,
        settings,
        logFile: join(dataDir, 'postgres.log'),
      });
      writeFileSync(starterFile, `${process.pid}\n${address.socketFolder ?? ''}\n`, { mode: 0o600 });
      const trouble = await untilReady(server, connectionTo(address), patienceMs);
      if (trouble === null) return server;
      await server.stop(endServer);
      // The children of a killed server let go of its shared memory a moment later.
      if (attempt === (former ? 5 : 2)) throw new CapstanError('postgres_failed', trouble);
      await sleep(300);
    }
  };
  for (let attempt = 1; ; attempt += 1) {
    const address = await serverAddress(identity, options.socketParent);
    try {
      return running(await launch(address), launch, address, connectionTo(address), identity.native);
    } catch (error) {
      releaseAddress(address);
      // A free port can be taken before the server has it; nobody takes a folder of ours.
      if (attempt === 3 || address.socketFolder !== null) throw error;
    }
  }
}

function running(
  first: ServerProcess,
  launch: (address: ServerAddress) => Promise<ServerProcess>,
  address: ServerAddress,
  connection: DatabaseConnection,
  nativeDir: string,
): EmbeddedServer {
  let server = first;
  return {
    connection,
    url: connectionUrl(connection),
    nativeDir,
    get pid() {
      return server.pid;
    },
    get ended() {
      return server.gone();
    },
    async restart() {
      await server.stop(endServer);
      server = await launch(address);
    },
    async stop() {
      await server.stop(endServer);
      releaseAddress(address);
    },
  };
}

/** Root leaves it open to enter, so that the server can be the user nobody; what is secret lies deeper, closed. */
function writableFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    accessSync(path, constants.W_OK | constants.X_OK);
    return realpathSync(path);
  } catch (cause) {
    const who = userInfo().username;
    throw new CapstanError(
      'data_not_writable',
      `${path} is not writable by ${who}: change its owner, or name another data folder.`,
      { cause },
    );
  }
}

/** Made once. A cluster without it cannot be entered by anybody. */
function serverPassword(dataDir: string, hasCluster: boolean): string {
  const folder = join(dataDir, 'secret');
  const file = join(folder, 'postgres-password');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  if (hasCluster)
    throw new CapstanError(
      'password_lost',
      `${file} is missing: restore it, the database cannot be entered without it.`,
    );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const password = randomBytes(24).toString('base64url');
  writeFileSync(file, password, { mode: 0o600, flag: 'wx' });
  return password;
}

/** Null once the database answers, else why it does not. */
async function untilReady(
  server: ServerProcess,
  connection: DatabaseConnection,
  patienceMs: number,
): Promise<string | null> {
  const until = Date.now() + patienceMs;
  for (let wait = 10; ; wait = Math.min(wait * 2, 250)) {
    const end = server.end();
    if (end !== null) return end;
    const trouble = await prepareDatabase(connection);
    if (trouble === null) return null;
    if (Date.now() > until) return `PostgreSQL does not answer: ${trouble}`;
    await sleep(wait);
  }
}

async function prepareDatabase(connection: DatabaseConnection): Promise<string | null> {
  const client = new pg.Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 5000 });
  // The server may end while we ask; the failed query below tells it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      connection.database,
    ]);
    if (rowCount === 0)
      await client.query(`create database ${connection.database} template template0 encoding 'UTF8'`);
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.end().catch(() => undefined);
  }
}
