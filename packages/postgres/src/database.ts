import type {
  Audit,
  BlobStore,
  Feed,
  Ids,
  Inventory,
  LogStore,
  OperationStore,
  PackStore,
  ProofStore,
  ReadModel,
  Secrets,
  Tokens,
  WakeUps,
} from '@capstan/engine';
import { CapstanError } from '@capstan/model';
import type { DatabaseConnection } from './connection.js';

export interface DatabaseOptions {
  /** A `postgres://` address; or `connection`. */
  readonly url?: string;
  readonly connection?: DatabaseConnection;
  /** Its `secret/` holds the key that encrypts the data keys of secrets; never the database. */
  readonly dataDir: string;
  /** Shown in the server's list of connections. */
  readonly owner?: string;
  /** At least so many ms lie between two announcements of this process; default 20. */
  readonly feedIntervalMs?: number;
  /** Told of lost connections and what was done about them. */
  readonly log?: (line: string) => void;
}

/** Every port that PostgreSQL fills, over one database. */
export interface Database {
  readonly store: OperationStore;
  readonly readModel: ReadModel;
  readonly inventory: Inventory;
  readonly packs: PackStore;
  readonly blobs: BlobStore;
  readonly secrets: Secrets;
  readonly proofs: ProofStore;
  readonly logs: LogStore;
  readonly wakeUps: WakeUps;
  readonly feed: Feed;
  readonly tokens: Tokens;
  readonly audit: Audit;
  readonly ids: Ids;
  /** Calls the handler for each announced operation until the returned function is called. Hints only: read by sequence. */
  watchFeed(handler: (operationId: string, sequence: number) => void): Promise<() => Promise<void>>;
  /** Brings the schema to this build's, under a lock; throws `schema_newer` when the database is ahead of the build. */
  migrate(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a database; throws `key_unknown` when its secrets were sealed with another key than `dataDir` holds. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  throw new CapstanError('not_ready', `no database for ${options.dataDir}`);
}
