import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The user that has no rights of its own on any Unix: PostgreSQL refuses to run as root. */
const NOBODY = 65534;

/** Children see nothing of the caller's locale, time zone or loader settings: an ungenerated LANG aborts initdb (V08). */
export const CHILD_ENV = { LC_ALL: 'C', LANG: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin:/usr/sbin:/sbin' };

/** As whom the server's processes run, with which binaries, on which folder. */
export interface ServerIdentity {
  readonly native: string;
  /** Parent of the cluster's folder. */
  readonly home: string;
  /** Owner that the cluster's files need, or null to leave them. */
  readonly owner: number | null;
  /** For `spawn`. */
  readonly user: { readonly uid?: number; readonly gid?: number };
  /** Put before the program. */
  readonly prefix: readonly string[];
}

export interface IdentityOptions {
  readonly dataDir: string;
  readonly native: string;
  readonly log: (line: string) => void;
  /** Where root keeps the server when its own folders are closed and there are no user namespaces. */
  readonly fallbackDir: string;
  /** Program that makes a user namespace. */
  readonly unshare: string;
}

/**
 * Root needs another user for the server. In this order: the user nobody, where it can reach binaries and data; a user
 * namespace in which root is nobody, for folders that are closed to others; else a copy of both under `fallbackDir`.
 */
export function serverIdentity(options: IdentityOptions): ServerIdentity {
  const { dataDir, native } = options;
  if (process.getuid?.() !== 0) return { native, home: dataDir, owner: null, user: {}, prefix: [] };
  const elsewhere = join(
    options.fallbackDir,
    createHash('sha256').update(dataDir).digest('hex').slice(0, 12),
  );
  // Data that once moved stays there: switching back would show an empty installation.
  if (existsSync(join(elsewhere, 'postgres'))) return asNobody(copiedBinaries(options), elsewhere);
  const runs = canRun(native);
  if (runs && canEnter(dataDir)) return asNobody(native, dataDir);
  const namespace = [options.unshare, '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'];
  if (succeeds([...namespace, join(native, 'bin/postgres'), '--version'], {})) {
    return { native, home: dataDir, owner: 0, user: {}, prefix: namespace };
  }
  if (runs && canEnter(dirname(dataDir)) && statSync(dataDir).uid === 0) {
    options.log(`Others may now enter ${dataDir} (not read it): PostgreSQL runs as the user nobody.`);
    chmodSync(dataDir, (statSync(dataDir).mode & 0o777) | 0o011);
    return asNobody(native, dataDir);
  }
  options.log(
    `PostgreSQL may not run as root, and the user nobody cannot reach ${dataDir}: its data and binaries are kept in ${options.fallbackDir}.`,
  );
  mkdirSync(elsewhere, { recursive: true, mode: 0o711 });
  const here = join(dataDir, 'postgres');
  if (existsSync(here))
    cpSync(here, join(elsewhere, 'postgres'), { recursive: true, verbatimSymlinks: true });
  return asNobody(copiedBinaries(options), elsewhere);
}

/** The command line that runs a program of the server as its identity, for `spawn`. */
export function commandOf(
  identity: ServerIdentity,
  program: string,
  args: readonly string[],
): [string, string[]] {
  const [file = '', ...rest] = [...identity.prefix, join(identity.native, 'bin', program), ...args];
  return [file, rest];
}

function asNobody(native: string, home: string): ServerIdentity {
  return { native, home, owner: NOBODY, user: { uid: NOBODY, gid: NOBODY }, prefix: [] };
}

function copiedBinaries({ native, fallbackDir }: IdentityOptions): string {
  if (canRun(native)) return native;
  const id = createHash('sha256')
    .update(`${native} ${statSync(join(native, 'bin/postgres')).mtimeMs}`)
    .digest('hex');
  const copy = join(fallbackDir, `native-${id.slice(0, 12)}`);
  if (existsSync(copy)) return copy;
  const draft = `${copy}.${process.pid}`;
  mkdirSync(fallbackDir, { recursive: true, mode: 0o711 });
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

function canRun(native: string): boolean {
  return succeeds([join(native, 'bin/postgres'), '--version'], { uid: NOBODY, gid: NOBODY });
}

/** Whether the user nobody may go into a folder. Only root may ask. */
export function canEnter(folder: string): boolean {
  return succeeds(['/bin/sh', '-c', 'cd "$1"', 'sh', folder], { uid: NOBODY, gid: NOBODY });
}

function succeeds([file = '', ...args]: readonly string[], user: { uid?: number; gid?: number }): boolean {
  return spawnSync(file, args, { ...user, env: CHILD_ENV, cwd: '/', stdio: 'ignore' }).status === 0;
}
