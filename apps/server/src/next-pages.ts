import { existsSync, readFileSync } from 'node:fs';
import { Server } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { RenderPage } from './api/pages.js';
import { REPOSITORY } from './config.js';

const LOAD_AFTER_MS = 1_500;
const WEB = join(REPOSITORY, 'apps/web');

export interface NextPages {
  readonly render: RenderPage;
  stop(): Promise<void>;
}

/**
 * The built web application, or null where none is built. Loading it keeps this process from everything else for half a
 * second, on a busy machine for several: it begins when the start is over, or with the first page.
 */
export function nextPages(report: (what: string, error: unknown) => void, dir = WEB): NextPages | null {
  if (!hasPages(dir)) return null;
  let loading: ReturnType<typeof load> | null = null;
  const loaded = () => {
    loading ??= load(dir);
    return loading;
  };
  const soon = setTimeout(
    () => loaded().catch((error: unknown) => report('the pages cannot be loaded', error)),
    LOAD_AFTER_MS,
  );
  return {
    async render(request, response) {
      const { handle } = await loaded();
      await handle(request, response);
    },
    async stop() {
      clearTimeout(soon);
      const pages = await loading?.catch(() => null); // reported above, or to whoever asked for a page
      await pages?.close();
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
  // The configuration is that of the build, given the way Next's own standalone server gives it: next.config.mjs is for building.
  const built = readFileSync(join(dir, '.next/required-server-files.json'), 'utf8');
  const { config } = JSON.parse(built) as { config: object };
  // check-allow environment: React and Next choose their build by NODE_ENV when they are loaded, and Next reports home
  Object.assign(process.env, {
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    __NEXT_PRIVATE_STANDALONE_CONFIG: JSON.stringify(config),
  });
  // By name, because its types change those of the environment for every file of the program.
  const next = createRequire(import.meta.url)('next') as (options: object) => NextServer;
  // Next listens for upgrades on the server it is given, and ends sockets that it does not know: it gets one that never listens.
  const app = next({ dev: false, dir, quiet: true, httpServer: new Server() });
  await app.prepare();
  return { handle: app.getRequestHandler(), close: () => app.close() };
}
