import { readFileSync } from 'node:fs';
import { VERSION } from './version.js';

/** Names the web application that is served: a page that knows another one must be loaded anew. Without one, the version. */
export function buildId(file = new URL('../../web/.next/BUILD_ID', import.meta.url)): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return VERSION;
    throw error;
  }
}
