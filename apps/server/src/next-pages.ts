import { existsSync, readFileSync } from 'node:fs';
import { Server } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { RenderPage } from './api/pages.js';
import { REPOSITORY } from './config.js';

const WEB = join(REPOSITORY, 'apps/web');

export interface NextPages {
  readonly render: RenderPage;
  stop(): Promise<void>;
}

/**
 * The built web application, or null where none is built. Loading it takes half a second, which nobody waits for but the
 * first page.
 */
export function nextPages(report: (what: string, error: unknown) => void, dir = WEB): NextPages | null {
  if (!hasPages(dir)) return null;
  const loading = load(dir);
  loading.catch((error: unknown) => report('the pages cannot be loaded', error));
  return {
    async render(request, response) {
      const { handle } = await loading;
      await handle(request, response);
    },
    async stop() {
      const loaded = await loading.catch(() => null); // reported above
      await loaded?.close();
    },
  };
}

/** Whether the web application is built. */
export function hasPages(dir = WEB): boolean {
  return existsSync(join(dir, '.next/BUILD_ID'));
}

/** The part of Next's custom server that is used. */
interface NextServer {
  prepare(): Promise<void>;
  getRequestHandler(): RenderPage;
  close(): Promise<void>;
}

async function load(dir: string) {
  // check-allow environment: React and Next choose their build by NODE_ENV when they are loaded, and Next reports home
  Object.assign(process.env, { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' });
  // By name, because its types change those of the environment for every file of the program.
  const next = createRequire(import.meta.url)('next') as (options: object) => NextServer;
  // Next listens for upgrades on the server it is given, and ends sockets that it does not know: it gets one that never listens.
  // The configuration is the one of the build, read and not run again.
  const built = readFileSync(join(dir, '.next/required-server-files.json'), 'utf8');
  const { config: conf } = JSON.parse(built) as { config: object };
  const app = next({ dev: false, dir, conf, quiet: true, httpServer: new Server() });
  await app.prepare();
  return { handle: app.getRequestHandler(), close: () => app.close() };
}
