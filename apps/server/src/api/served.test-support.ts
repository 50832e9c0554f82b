import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ControlPlane, Maintenance, type ReadModel, type Sessions, systemClock } from '@capstan/engine';
import {
  type MemoryEngine,
  MemoryRequests,
  memoryEngine,
  memoryReadModel,
  type Pruned,
  ScriptedHosts,
  testPlan,
} from '@capstan/engine/testing';
import { type Intent, ok, type Plan, refused, text } from '@capstan/model';
import { createApollo } from '../graphql/apollo.js';
import { createContext } from '../graphql/context.js';
import { createSchema } from '../graphql/schema.js';
import { createHttp } from './http.js';
import { memoryDoor } from './memory-door.test-support.js';
import { createMetrics } from './metrics.js';
import type { RenderPage } from './pages.js';

export const TOKEN = 'a-token-for-tests';

export interface Served {
  readonly url: string;
  readonly sessions: Sessions;
  readonly engine: MemoryEngine;
  /** What was reported as unexpected. */
  readonly reported: string[];
  /** Calls of the read model, by method. */
  readonly reads: Map<string, number>;
  /** What the read model says was pruned, by operation and by attempt. */
  readonly pruned: Pruned;
  /** Sends raw bytes. */
  post(body: string, headers?: Record<string, string>): Promise<Response>;
  /** A signed-in query; fails the test on `errors`. */
  query<T = Record<string, unknown>>(query: string, variables?: Record<string, unknown>): Promise<T>;
}

interface Test {
  after(act: () => Promise<void> | void): void;
}

/** The API over an engine in memory whose plan is `plan` for the document `good`. Times are made up. */
export async function serve(
  t: Test,
  plan: Plan = testPlan([{ key: 'a' }]),
  hosts = quietHosts(),
  render: RenderPage | null = null,
): Promise<Served> {
  const engine = await memoryEngine(hosts);
  const reads = new Map<string, number>();
  const reported: string[] = [];
  const pruned: Served['pruned'] = { gap: null, logs: new Map() };
  const { store, inventory, packs, blobs, secrets, logs, ids } = engine.dependencies;
  const intent: Intent = {
    action: 'install',
    targetResourceType: 'thing',
    desiredResult: {},
    constraints: {},
    hosts: null,
  };
  const control = new ControlPlane({
    store,
    inventory,
    packs,
    blobs,
    secrets,
    logs,
    ids,
    hosts,
    clock: systemClock,
    readModel: counted(memoryReadModel(engine, pruned), reads),
    audit: { record: () => Promise.resolve() },
    requests: new MemoryRequests(),
    documents: {
      parseIntent(source) {
        if ('yaml' in source && source.yaml === 'good') return ok(intent);
        if ('yaml' in source && source.yaml === 'away') throw new Error('away');
        if ('yaml' in source && source.yaml === 'bug') throw new Error('a secret detail of this machine');
        const place = { file: 'document', line: 3, column: 5 };
        return refused({
          code: 'unknown_key',
          text: text('document.unknown_key', { key: 'x' }),
          place,
          expected: 'hosts',
        });
      },
    },
    planning: { plan: () => Promise.resolve({ kind: 'plan', plan }) },
  });
  const maintenance = maintenanceOf(hosts);
  const report = (what: string, error: unknown): void => void reported.push(`${what}: ${String(error)}`);
  const isAway = (error: unknown): boolean => error instanceof Error && error.message === 'away';
  const apollo = createApollo(await createSchema(), report, isAway);
  await apollo.start();
  const door = memoryDoor(TOKEN);
  const app = createHttp({
    apollo,
    ...door,
    render,
    context: (actor) =>
      createContext(
        {
          control,
          maintenance,
          reloadPacks: () => Promise.resolve(ok([])),
          info: { version: '0.0.0', buildId: '0', lab: 'none', packFolders: [] },
        },
        actor,
      ),
    rawLog: (_request, _response, next) => next(),
    ready: () => Promise.resolve(true),
    metrics: createMetrics('0.0.0'),
    version: '0.0.0',
    instance: 'test',
    report,
    isAway,
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await apollo.stop();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const post: Served['post'] = (body, headers = {}) =>
    fetch(`${url}graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}`, ...headers },
      body,
    });
  return {
    url,
    sessions: door.signIn.sessions,
    engine,
    reported,
    reads,
    pruned,
    post,
    async query<T>(query: string, variables = {}) {
      const answer = (await (await post(JSON.stringify({ query, variables }))).json()) as {
        data?: T;
        errors?: unknown;
      };
      if (answer.errors || !answer.data) throw new Error(JSON.stringify(answer.errors));
      return answer.data;
    },
  };
}

export function quietHosts(): ScriptedHosts {
  return new ScriptedHosts(
    (key) => (run) => {
      run.print(`output of ${key}\n`);
      return 0;
    },
    () => () => ({ code: 0 }),
  );
}

/** Counts the calls of each method. */
function counted(model: ReadModel, reads: Map<string, number>): ReadModel {
  return new Proxy(model, {
    get: (target, name) => {
      reads.set(String(name), (reads.get(String(name)) ?? 0) + 1);
      return Reflect.get(target, name);
    },
  });
}

/** One old log and a rotation of three keys; a second rotation meets one that runs. */
function maintenanceOf(hosts: ScriptedHosts): Maintenance {
  let rotations = 0;
  const items = [{ kind: 'logs', objects: 1, bytes: 5_000_000_000 }] as const;
  return new Maintenance(
    {
      retention: {
        due: () => Promise.resolve(items),
        prune: () => Promise.resolve(items),
        folders: () =>
          Promise.resolve([
            {
              host: 'node/gone',
              ref: {
                attemptId: 'a',
                operationId: 'o',
                nodeKey: 'n',
                number: 1,
                fence: '1.1.1',
                runRoot: '/r',
              },
            },
          ]),
        forgotten: () => Promise.resolve(),
        alone: async (work) => ({ value: await work() }),
        claimTurn: () => Promise.resolve(true),
      },
      keys: {
        rotate: () =>
          Promise.resolve(
            rotations++ === 0
              ? { kind: 'rotated', former: 'k1', current: 'k2', rewrapped: 3, resumed: true }
              : { kind: 'busy' },
          ),
      },
      audit: { record: () => Promise.resolve() },
      requests: new MemoryRequests(),
      inventory: { hosts: () => Promise.resolve([]) },
      hosts,
    },
    {
      logsMs: 1,
      failedLogsMs: 1,
      logBytes: 1,
      eventsMs: 1,
      succeededFoldersMs: 1,
      otherFoldersMs: 1,
      idempotencyMs: 1,
    },
  );
}
