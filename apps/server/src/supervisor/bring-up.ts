import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Sandbox } from '@capstan/lab';
import { renderText } from '@capstan/model';
import { nativeFolder } from '@capstan/postgres';
import type { Config, RoleConfig } from '../config.js';
import type { Logger } from '../log.js';
import { hasPages } from '../next-pages.js';
import { usePackFolders } from '../packs.js';
import { Planning } from '../planning/planning.js';
import { requireSchema } from '../roles/require-schema.js';
import { StartRefused } from '../roles/running-role.js';
import { createControlPlane, openAdapters } from '../wiring.js';
import { apiToken } from './api-token.js';
import { type ChildStart, SupervisedChild } from './child-process.js';
import type { Cleanup } from './cleanup.js';
import { removeServerFile, writeServerFile } from './data-folder.js';
import { keepDatabase, type OwnDatabase } from './database.js';
import { registerLab, startLab } from './lab-hosts.js';
import { choosePort } from './port.js';
import { answers } from './running-server.js';
import { signInLink } from './sign-in-link.js';

const MAIN = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../main.ts' : '../main.js', import.meta.url),
);
/** All of the stop has 10 s: children first, then the lab and the database together. */
const CHILD_GRACE_MS = 3_500;
/** Of up to 2 s each. */
const READY_ATTEMPTS = 5;

export interface BringUp {
  readonly config: Config;
  readonly instance: string;
  readonly log: Logger;
  readonly cleanup: Cleanup;
  readonly stop: AbortSignal;
  readonly say: (line: string) => void;
}

export interface Running {
  /** `http://127.0.0.1:<port>/` */
  readonly url: string;
  /** Opens the pages once; null without pages. */
  readonly signInUrl: string | null;
  /** Resolves with a line when it cannot go on. */
  readonly broken: Promise<string>;
}

/** Starts everything in the order of need; resolves when everything answers. Throws one clear sentence. */
export async function bringUp(start: BringUp): Promise<Running> {
  const { config, log, cleanup, say } = start;
  const port = await choosePort(config.host, config.port);
  if (port.kind === 'refused') throw new StartRefused(port.line);
  if (port.note !== null) say(port.note);

  const database = await startDatabase(start);
  const common = {
    ...config,
    databaseUrl: database?.url ?? config.databaseUrl ?? '',
    instance: start.instance,
  };
  const { token, file: tokenFile } = apiToken(config.data, config.token);
  await Promise.all([prepareDatabase(start, common, token), startSandboxHosts(start, database)]).then(
    ([, lab]) => (lab ? withDatabase(common, log, (db) => registerLab(db, lab, log)) : undefined),
  );

  let listening = port.port;
  const roleConfig = (): RoleConfig => ({
    ...common,
    databaseUrl: database?.url ?? common.databaseUrl,
    port: { ...config.port, value: listening },
  });
  const api = new SupervisedChild('api', MAIN, roleConfig, log);
  const worker = new SupervisedChild('worker', MAIN, roleConfig, log);
  const children = [api, worker];
  database?.onRestart(() =>
    Promise.all(children.map((child) => child.restart(CHILD_GRACE_MS))).then(() => undefined),
  );
  await cleanup.started('children', Promise.resolve(), async () => {
    removeServerFile(config.data);
    await Promise.all(children.map((child) => child.stop(CHILD_GRACE_MS)));
  });
  const [worked, answered] = await Promise.all([
    worker.start(),
    startApi(api, config, (next) => (listening = next), listening),
  ]);
  for (const one of [worked, answered]) if (one.kind === 'refused') throw new StartRefused(one.line);

  const url = `http://${config.host}:${listening}/`;
  if (!(await answersInTime(url)))
    throw new StartRefused(`${url} does not answer: see ${config.data}/logs/api.log`);
  writeServerFile(config.data, { url, pid: process.pid, tokenFile });
  const signInUrl = config.web && hasPages() ? await signInLink(url, token) : null;
  return { url, signInUrl, broken: database?.lost ?? new Promise<string>(() => undefined) };
}

async function startDatabase({ config, log, cleanup, say }: BringUp): Promise<OwnDatabase | null> {
  if (config.databaseUrl !== null) return null;
  say('Starting the database');
  return cleanup.started('database', keepDatabase(config.data, log), (one) => one.stop());
}

async function startSandboxHosts(start: BringUp, database: OwnDatabase | null): Promise<Sandbox | null> {
  const { config, log, cleanup, say } = start;
  if (config.lab === 'none') return null;
  say('Starting three sandbox hosts');
  const starting = startLab(config, database?.nativeDir ?? nativeFolder(), log).catch((error: unknown) => {
    throw new StartRefused(
      `the sandbox hosts cannot start: ${(error as Error).message} (CAPSTAN_LAB=none goes without)`,
    );
  });
  return cleanup.started('sandbox', starting, (one) => one.stop());
}

async function prepareDatabase(start: BringUp, config: RoleConfig, token: string): Promise<void> {
  const { log } = start;
  const adapters = await openAdapters(config, `supervisor ${config.instance}`, log);
  const planning = new Planning(config.planningMs);
  try {
    // Somebody else's server may be in use by others: its schema changes when a person says so. An empty one is ours.
    const { present, needed } = await adapters.database.schema();
    if (start.config.databaseUrl !== null && present > 0 && present < needed)
      await requireSchema(adapters.database);
    await adapters.database.migrate();
    await adapters.database.tokens.save('start', token);
    const control = createControlPlane(adapters, planning);
    const used = await usePackFolders(
      control,
      { kind: 'service', id: 'supervisor' },
      config.packFolders,
      'sound_ones',
    );
    const problems = used.ok ? used.value.problems : used.problems;
    for (const problem of problems) {
      const { file, line, column } = problem.place ?? { file: 'packs', line: 0, column: 0 };
      log.warn(`${file}:${line}:${column} ${renderText(problem.text)} (this pack stays out)`);
    }
  } finally {
    await planning.stop();
    await adapters.close();
  }
}

async function withDatabase(
  config: RoleConfig,
  log: Logger,
  use: (database: Awaited<ReturnType<typeof openAdapters>>['database']) => Promise<void>,
): Promise<void> {
  const adapters = await openAdapters(config, `supervisor ${config.instance}`, log);
  try {
    await use(adapters.database);
  } finally {
    await adapters.close();
  }
}

/** The port was free a moment ago; when somebody was faster and a person did not ask for this one, take the next. */
async function startApi(
  api: SupervisedChild,
  config: Config,
  listen: (port: number) => void,
  first: number,
): Promise<ChildStart> {
  let port = first;
  for (let attempt = 1; ; attempt += 1) {
    const started = await api.start();
    if (started.kind === 'ready' || !started.portTaken || attempt === 5) return started;
    if (config.port.explicit && config.port.value !== 0) return started;
    const next = await choosePort(config.host, {
      value: config.port.value === 0 ? 0 : port + 1,
      explicit: false,
    });
    if (next.kind === 'refused') return started;
    port = next.port;
    listen(port);
  }
}

/** On a machine that is busy with the start itself, an answer may take longer than one try. */
async function answersInTime(url: string): Promise<boolean> {
  for (let attempt = 1; attempt < READY_ATTEMPTS; attempt += 1) {
    if (await answers(url, 'readyz')) return true;
    await sleep(200);
  }
  return answers(url, 'readyz');
}
