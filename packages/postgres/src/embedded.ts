import { CapstanError } from '@capstan/model';
import type { DatabaseConnection } from './connection.js';

export interface EmbeddedOptions {
  /** Data in `postgres/`, the password in `secret/`. Made when absent. */
  readonly dataDir: string;
  /** `false` only for tests: a power cut then loses data. */
  readonly fsync?: boolean;
  readonly log?: (line: string) => void;
}

/** A running PostgreSQL of our own. */
export interface EmbeddedServer {
  readonly connection: DatabaseConnection;
  readonly url: string;
  /** Folder with `bin/` and `lib/` of the server's binaries. */
  readonly nativeDir: string;
  /** Ends it within 5 s and removes the socket folder. */
  stop(): Promise<void>;
}

/** Starts the PostgreSQL that the npm package ships; ready when it accepts connections. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  throw new CapstanError('not_ready', `no server for ${options.dataDir}`);
}
