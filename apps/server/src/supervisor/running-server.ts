import { setTimeout as sleep } from 'node:timers/promises';
import { readServerFile } from './data-folder.js';
import { identityOf } from './process-identity.js';

const PATIENCE_MS = 40_000;

export type FoundServer =
  | { readonly kind: 'running'; readonly url: string }
  /** The process that held the folder is gone: a start may go on. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'silent' };

/** Waits until the server of this data folder, which may still be starting, answers. */
export async function findRunning(data: string, pid: number, patienceMs = PATIENCE_MS): Promise<FoundServer> {
  const until = Date.now() + patienceMs;
  do {
    const server = readServerFile(data);
    if (server && (await answers(server.url))) return { kind: 'running', url: server.url };
    if (identityOf(pid) === null) return { kind: 'gone' };
    await sleep(250);
  } while (Date.now() < until);
  return { kind: 'silent' };
}

/** Whether the server at this address says that it can work. */
export async function answers(url: string, path: 'healthz' | 'readyz' = 'healthz'): Promise<boolean> {
  try {
    const response = await fetch(new URL(path, url), { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false; // nobody listens, or not in time: the caller asks again or gives up
  }
}
