import pg from 'pg';
import type { DatabaseConnection } from './connection.js';

/** How to reach the database, and whom to tell of connections that broke. */
export interface Access {
  readonly url?: string;
  readonly connection?: DatabaseConnection;
  readonly applicationName: string;
  readonly log: (line: string) => void;
}

export interface PoolOptions {
  readonly max: number;
  /** How long an unused connection is kept, ms; default 10,000. */
  readonly idleMs?: number;
  /** Settings of each session, `name=value`. */
  readonly settings?: readonly string[];
}

/**
 * A pool that outlives its connections. Each client has its own error listener too: without one, the end of a backend
 * while the client is checked out ends the whole process (C05).
 */
export function createPool(access: Access, options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(access, options.settings),
    max: options.max,
    idleTimeoutMillis: options.idleMs ?? 10_000,
  });
  pool.on('error', (error) => access.log(`a database connection broke: ${error.message}`));
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** For a single client, such as the one that listens. */
export function clientConfig(access: Access, settings: readonly string[] = []): pg.ClientConfig {
  return {
    ...(access.connection ?? { connectionString: access.url }),
    application_name: access.applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options: ['timezone=UTC', 'datestyle=ISO', ...settings].map((setting) => `-c ${setting}`).join(' '),
    types: { getTypeParser: typeParser },
  };
}

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** Numbers up to 2^53 as numbers (api: Sequence), times as RFC 3339 in UTC with milliseconds. */
function typeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === INT8) return Number;
  if (oid === TIMESTAMPTZ)
    return (value) => new Date(value.replace(' ', 'T').replace(/\+00$/, 'Z')).toISOString();
  return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown;
}
