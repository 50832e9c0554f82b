import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, isAlive, type ProcessIdentity } from './process-table.js';

/** Takes the lab's data folder for this process; throws an Error that names the process which has it. */
export function lockDataFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'lab.lock');
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      writeFileSync(file, JSON.stringify(identityOf(process.pid)), { flag: 'wx', mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readHolder(file);
    if (holder && isAlive(holder)) throw new Error(`the lab in ${dataDir} is run by process ${holder.pid}`);
    rmSync(file, { force: true });
  }
  throw new Error(`the lab in ${dataDir} is being started by another process`);
}

function readHolder(file: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined; // torn by a death while it was written, or just removed: nobody holds it
  }
}
