import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { DatabaseConnection } from '../connection.js';
import { connectionUrl } from '../connection.js';
import type { Database, DatabaseOptions } from '../database.js';
import { openDatabase } from '../database.js';
import type { EmbeddedServer } from '../embedded/start-embedded.js';
import { startEmbedded } from '../embedded/start-embedded.js';
import { copyPreparedCluster } from './prepared-cluster.js';

/** One migrated database of a throw-away server. */
export interface FreshDatabase {
  readonly url: string;
  readonly connection: DatabaseConnection;
  /** Opened; closed by the server's `stop`. */
  readonly database: Database;
  /** One more process' view of the same database. */
  open(options?: Partial<DatabaseOptions>): Promise<Database>;
}

/** A throw-away server with migrated databases, for tests. */
export interface TestDatabase extends FreshDatabase {
  /** Folder whose `secret/` holds the key of this server's databases. */
  readonly dataDir: string;
  readonly nativeDir: string;
  readonly server: EmbeddedServer;
  /** One more empty, migrated database on the same server. */
  create(options?: Partial<DatabaseOptions>): Promise<FreshDatabase>;
  stop(): Promise<void>;
}

/** A fresh migrated database on an embedded server without fsync; `options` are those of its first database. */
export async function startTestDatabase(options: Partial<DatabaseOptions> = {}): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'capstan-test-'));
  await copyPreparedCluster(dataDir);
  const server = await startEmbedded({
    dataDir,
    fsync: false,
    // An automatic analyze would take time from the tests, and hold back readers across operations.
    settings: ['autovacuum=off'],
  });
  const opened: Database[] = [];
  const template = await openDatabase({ connection: server.connection, dataDir });
  await template.migrate();
  await template.close();
  let count = 0;
  const create = async (more: Partial<DatabaseOptions> = {}): Promise<FreshDatabase> => {
    const connection = { ...server.connection, database: `test_${++count}` };
    await runOn(
      { ...server.connection, database: 'postgres' },
      `create database ${connection.database} template ${server.connection.database}`,
    );
    const open = async (own: Partial<DatabaseOptions> = {}) => {
      const database = await openDatabase({ connection, dataDir, ...own });
      opened.push(database);
      return database;
    };
    return { url: connectionUrl(connection), connection, open, database: await open(more) };
  };
  return {
    ...(await create(options)),
    dataDir,
    nativeDir: server.nativeDir,
    server,
    create,
    async stop() {
      await Promise.all(opened.splice(0).map((database) => database.close()));
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function runOn(connection: DatabaseConnection, statement: string): Promise<void> {
  const client = new pg.Client({ ...connection });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
