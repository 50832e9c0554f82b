import { createServer } from 'node:http';
import { isLostConnection } from '@capstan/postgres';
import { createHttp } from '../api/http.js';
import { createMetrics } from '../api/metrics.js';
import { buildId } from '../build-id.js';
import type { RoleConfig } from '../config.js';
import { createApollo } from '../graphql/apollo.js';
import { createContext, type ServerParts } from '../graphql/context.js';
import { createSchema } from '../graphql/schema.js';
import type { Logger } from '../log.js';
import { nextPages } from '../next-pages.js';
import { usePackFolders } from '../packs.js';
import { Planning } from '../planning/planning.js';
import { VERSION } from '../version.js';
import { createControlPlane, createMaintenance, openAdapters } from '../wiring.js';
import { openDoor } from './door.js';
import { openLive } from './live.js';
import { requireSchema } from './require-schema.js';
import { type RunningRole, StartRefused } from './running-role.js';

const DRAIN_MS = 2_000;

/** Answers HTTP on the configured port; ready when it listens and the database has this build's schema. */
export async function startApi(config: RoleConfig, log: Logger): Promise<RunningRole> {
  const adapters = await openAdapters(config, `api ${config.instance}`, log);
  const { database } = adapters;
  await requireSchema(database).catch(async (error: unknown) => {
    await adapters.close();
    throw error;
  });
  if (config.token !== null) await database.tokens.save('start', config.token);
  const report = (what: string, error: unknown): void => log.error({ err: error }, what);
  const planning = new Planning(config.planningMs);
  const control = createControlPlane(adapters, planning);
  const parts: ServerParts = {
    control,
    maintenance: createMaintenance(adapters, config.retention),
    info: { version: VERSION, buildId: buildId(), lab: config.lab, packFolders: config.packFolders },
    async reloadPacks(actor) {
      const used = await usePackFolders(control, actor, config.packFolders, 'strict');
      return used.ok ? { ok: true, value: used.value.packs } : used;
    },
  };
  const schema = await createSchema();
  const apollo = createApollo(schema, report, isLostConnection);
  await apollo.start();
  const door = openDoor(config, database);
  const live = await openLive(database, { ...door.live, schema, report });
  const web = config.web ? nextPages(report) : null;
  const http = createHttp({
    apollo,
    ...door.http,
    render: web?.render ?? null,
    rawLog: live.rawLog,
    context: (actor) => createContext(parts, actor),
    ready: () => database.readModel.ready(),
    metrics: createMetrics(VERSION),
    version: VERSION,
    instance: config.instance,
    report,
    isAway: isLostConnection,
  });
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000, maxHeaderSize: 16_384 },
    http,
  );
  live.attach(server);
  await listen(server, config);
  log.info({ port: config.port.value }, 'listening');
  return {
    async stop() {
      await live.stop();
      await close(server);
      await web?.stop();
      await apollo.stop();
      await planning.stop();
      await adapters.close();
    },
  };
}

function listen(server: ReturnType<typeof createServer>, config: RoleConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      reject(
        new StartRefused(`cannot listen on ${config.host}:${config.port.value}: ${error.message}`, taken),
      );
    });
    server.listen(config.port.value, config.host, resolve);
  });
}

/** Lets answers in flight finish, for a while; idle connections are closed at once. */
function close(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
