import { CapstanError } from '@capstan/model';
import type { DatabaseConnection } from '../connection.js';
import type { Database } from '../database.js';

/** A throw-away server with migrated databases, for tests. */
export interface TestDatabase {
  readonly url: string;
  readonly connection: DatabaseConnection;
  /** Folder whose `secret/` holds the key of this server's databases. */
  readonly dataDir: string;
  readonly nativeDir: string;
  /** Opened on `url`; closed by `stop`. */
  readonly database: Database;
  /** One more empty, migrated database on the same server. */
  create(): Promise<{
    readonly url: string;
    readonly connection: DatabaseConnection;
    readonly database: Database;
  }>;
  stop(): Promise<void>;
}

/** A fresh migrated database on an embedded server without fsync. */
export async function startTestDatabase(): Promise<TestDatabase> {
  throw new CapstanError('not_ready', 'no server');
}
