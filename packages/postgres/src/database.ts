import type {
  Audit,
  BlobStore,
  Feed,
  Ids,
  Inventory,
  Keys,
  LiveReads,
  LogStore,
  OperationStore,
  PackStore,
  ProofStore,
  ReadModel,
  Requests,
  Retention,
  Secrets,
  Sessions,
  Tokens,
  WakeUps,
} from '@capstan/engine';
import { CapstanError } from '@capstan/model';
import type { DatabaseConnection } from './connection.js';
import { openDataSource } from './data-source.js';
import { createFeed, watchFeed } from './feed.js';
import { createIds } from './ids.js';
import { createListener } from './listener.js';
import { migrate, refuseNewer, schemaVersion } from './migrate.js';
import { SCHEMA_VERSION } from './migration/all.js';
import type { Access } from './pool.js';
import { createPool } from './pool.js';
import { KeyRing } from './secret/key-ring.js';
import { rotateKey, settleRotation } from './secret/rotate-key.js';
import { requireKey, secretStore } from './secret/secrets.js';
import { auditLog } from './store/audit.js';
import { blobStore } from './store/blob-store.js';
import { inventory } from './store/inventory.js';
import { liveReads } from './store/live-reads.js';
import type { LogLimits } from './store/log-store.js';
import { logStore } from './store/log-store.js';
import { operationStore } from './store/operation-store.js';
import { packStore } from './store/pack-store.js';
import { proofStore } from './store/proof-store.js';
import { readModel } from './store/read-model.js';
import { requestStore } from './store/requests.js';
import { retentionStore } from './store/retention-store.js';
import { sessionStore } from './store/sessions.js';
import { tokenStore } from './store/tokens.js';
import { createWakeUps } from './wake-ups.js';

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
  /** How often this process says that its part of the queue lives, ms; default 5,000. */
  readonly queueBeatMs?: number;
  /** What is kept of one log; default 256 MiB: the first 16, the rest from its end. */
  readonly logLimits?: LogLimits;
  /** Told of lost connections and what was done about them. */
  readonly log?: (line: string) => void;
}

/** Every port that PostgreSQL fills, over one database. */
export interface Database {
  readonly store: OperationStore;
  readonly readModel: ReadModel;
  readonly live: LiveReads;
  readonly inventory: Inventory;
  readonly packs: PackStore;
  readonly blobs: BlobStore;
  readonly secrets: Secrets;
  readonly keys: Keys;
  readonly retention: Retention;
  readonly proofs: ProofStore;
  readonly logs: LogStore;
  readonly wakeUps: WakeUps;
  readonly feed: Feed;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly audit: Audit;
  readonly requests: Requests;
  readonly ids: Ids;
  /** Calls the handler for each announced operation until the returned function is called. Hints only: read by sequence. */
  watchFeed(handler: (operationId: string, sequence: number) => void): Promise<() => Promise<void>>;
  /** The schema that the database has (0 = none yet) and the one that this build needs. */
  schema(): Promise<{ readonly present: number; readonly needed: number }>;
  /** Brings the schema to this build's, under a lock; throws `schema_newer` when the database is ahead of the build. */
  migrate(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a database, migrated or not. Throws `schema_newer` when it is ahead of this build, and `key_unknown` when its
 * secrets were sealed with another key than `dataDir` holds.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  let closing: Promise<void> | null = null;
  // What breaks while we close is what we close: pools end before their sockets do.
  const log = (line: string) => (closing ? undefined : options.log?.(line));
  if (!options.url && !options.connection)
    throw new CapstanError('no_database', 'openDatabase needs an address or a connection');
  const access: Access = {
    url: options.url,
    connection: options.connection,
    log,
    applicationName: applicationName(options.owner),
  };
  const ring = new KeyRing(options.dataDir);
  const source = await openDataSource(access);
  // One plan per statement for all values: planning each call anew costs a third of a transition.
  const hot = createPool(access, {
    max: 8,
    idleMs: 60_000,
    settings: ['plan_cache_mode=force_generic_plan'],
  });
  const general = createPool(access, { max: 4 });
  const lazy = createPool(access, { max: 2, settings: ['synchronous_commit=off'] });
  const listener = createListener(access);
  const ids = createIds();
  // An announcement is a hint: waiting for the disk would cost a flush for every one.
  const feed = createFeed(lazy, options.feedIntervalMs ?? 20, log);
  const wakeUps = createWakeUps(access, general, listener, { beatMs: options.queueBeatMs });
  const close = () => (closing ??= closeAll());
  const closeAll = async () => {
    await wakeUps.stop();
    await feed.close();
    await listener.close();
    await Promise.all([hot.end(), general.end(), lazy.end(), source.destroy()]);
  };
  try {
    const version = await schemaVersion(general);
    refuseNewer(version);
    if (version > 0) await requireKey(source, ring);
    if (version === SCHEMA_VERSION) await settleRotation(general, ring);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    store: operationStore(hot),
    readModel: readModel(general, log),
    live: liveReads(general),
    inventory: inventory(source, ids),
    packs: packStore(source),
    blobs: blobStore(source),
    secrets: secretStore(source, ids, ring),
    keys: { rotate: (how = {}) => rotateKey(general, ring, how) },
    retention: retentionStore(general),
    proofs: proofStore(source),
    logs: logStore(lazy, options.logLimits),
    wakeUps,
    feed,
    tokens: tokenStore(source, ids),
    sessions: sessionStore(general),
    audit: auditLog(source),
    requests: requestStore(source),
    ids,
    watchFeed: (handler) => watchFeed(listener, handler),
    schema: async () => ({ present: await schemaVersion(general), needed: SCHEMA_VERSION }),
    migrate: () => migrate(general),
    close,
  };
}

/** The server keeps 63 bytes of it. */
function applicationName(owner: string | undefined): string {
  return owner ? `capstan ${owner}`.slice(0, 63) : 'capstan';
}
