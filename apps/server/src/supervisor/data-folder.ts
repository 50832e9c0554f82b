import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, isAlive, type ProcessIdentity } from './process-identity.js';

/** What `server.json` tells the CLI and a second start. */
export interface ServerFile {
  readonly url: string;
  readonly pid: number;
  /** File with the API token, 0600. */
  readonly tokenFile: string;
}

export type OpenedFolder =
  | { readonly kind: 'opened'; readonly release: () => void }
  | { readonly kind: 'held'; readonly by: number; readonly server: ServerFile | null }
  | { readonly kind: 'unusable'; readonly line: string };

const LOCK = 'supervisor.lock';

/** Takes the data folder for this process, so that two starts never share a database, or names who has it. */
export function openDataFolder(data: string): OpenedFolder {
  const file = join(data, LOCK);
  try {
    // As root the database is the user nobody, who must be able to pass through; what is secret lies deeper, closed.
    mkdirSync(data, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    for (let attempt = 0; attempt < 20; attempt += 1) {
      if (create(file)) {
        // Left by a start that was killed: nobody may be sent to a server that is gone.
        rmSync(join(data, 'server.json'), { force: true });
        return { kind: 'opened', release: () => rmSync(file, { force: true }) };
      }
      const holder = readHolder(file);
      if (holder !== null && isAlive(holder))
        return { kind: 'held', by: holder.pid, server: readServerFile(data) };
      takeAway(file, holder);
    }
    return { kind: 'unusable', line: `${file} changes all the time: several starts at once?` };
  } catch (error) {
    return { kind: 'unusable', line: unusable(data, error as NodeJS.ErrnoException) };
  }
}

/** Published last, when everything answers; replaced whole, so a reader never sees half of it. */
export function writeServerFile(data: string, content: ServerFile): void {
  const temporary = join(data, `server.json.${process.pid}`);
  writeFileSync(temporary, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(temporary, join(data, 'server.json'));
}

export function removeServerFile(data: string): void {
  rmSync(join(data, 'server.json'), { force: true });
}

export function readServerFile(data: string): ServerFile | null {
  try {
    const content = JSON.parse(readFileSync(join(data, 'server.json'), 'utf8')) as Partial<ServerFile>;
    const { url, pid, tokenFile } = content;
    return typeof url === 'string' && typeof pid === 'number' && typeof tokenFile === 'string'
      ? { url, pid, tokenFile }
      : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}

function create(file: string): boolean {
  try {
    writeFileSync(file, JSON.stringify(identityOf(process.pid)), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the lock of a dead process. Renamed first and looked at again: of two starts that saw the same dead holder
 * the slower one would otherwise remove the lock that the faster one has just taken.
 */
function takeAway(file: string, dead: ProcessIdentity | null): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = readHolder(aside);
  if (taken !== null && taken.pid !== dead?.pid && isAlive(taken)) linkSync(aside, file);
  rmSync(aside, { force: true });
}

function readHolder(file: string): ProcessIdentity | null {
  try {
    const content = JSON.parse(readFileSync(file, 'utf8')) as Partial<ProcessIdentity> | null;
    return typeof content?.pid === 'number' ? { pid: content.pid, started: content.started ?? null } : null;
  } catch (error) {
    // Torn by a death while it was written, or just removed: nobody holds it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}

function unusable(data: string, error: NodeJS.ErrnoException): string {
  const user = process.getuid?.();
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS') {
    return `${data} is not writable by user ${user}: chown it to that user, or name another folder in CAPSTAN_DATA`;
  }
  if (error.code === 'ENOSPC') return `${data}: the disk is full`;
  if (error.code === 'ENOTDIR' || error.code === 'EEXIST')
    return `${data} is not a folder: name another one in CAPSTAN_DATA`;
  return `${data} cannot be used: ${error.message}`;
}
