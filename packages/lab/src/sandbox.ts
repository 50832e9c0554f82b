import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lockDataFolder } from './data-lock.js';
import { keptKeyPair } from './keys.js';
import type { LabProvider } from './lab-provider.js';
import { COVERED } from './mount-script.js';
import { whyNoNamespaces } from './namespace.js';
import { PipePool } from './pipe-pool.js';
import {
  type HostSettings,
  type RunningSandboxHost,
  type SandboxHost,
  startSandboxHost,
} from './sandbox-host.js';

/** How to run a sandbox. */
export interface SandboxOptions {
  /** Folder for keys and hosts; kept, so that a later start finds the same hosts. */
  readonly dataDir: string;
  /** Host names, each a DNS label. */
  readonly names: readonly string[];
  /** Folder of stand-in programs, first on the hosts' PATH. */
  readonly standIns?: string;
  /** Folder with PostgreSQL's `bin`, `lib` and `share`, told to stand-ins. */
  readonly native?: string;
  /** One more public key line that may log in, beside the lab's own. */
  readonly authorizedKey?: string;
  /** `auto` takes namespaces where the kernel allows; `userns` insists. Default `auto`. */
  readonly isolation?: 'auto' | 'userns' | 'none';
  /** More folders of the machine that isolated hosts must see empty, the server's data for one. */
  readonly hide?: readonly string[];
  /** How long a host's start waits for `capstan-boot`, default 15,000 ms. */
  readonly bootTimeoutMs?: number;
  /** How long a host's stop waits for `capstan-halt`, default 3,000 ms. */
  readonly haltTimeoutMs?: number;
}

/** The running sandbox tier. */
export interface Sandbox extends LabProvider<SandboxHost> {
  readonly tier: 'sandbox';
  readonly isolation: 'userns' | 'none';
  /** Why hosts are not isolated, in words; undefined when they are or when that was asked for. */
  readonly isolationReason: string | undefined;
  /** Public half of the lab's client key, an `ssh-ed25519 …` line. */
  readonly clientPublicKey: string;
}

/**
 * Starts SSH hosts inside this process. Throws an Error in plain words when the data folder is in use or not
 * writable, a name is no DNS label, or `userns` was insisted on and the kernel refuses.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const bad = options.names.find((name) => !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name));
  if (bad !== undefined) throw new Error(`not a host name: ${JSON.stringify(bad)}`);
  if (new Set(options.names).size !== options.names.length) throw new Error('a host name is given twice');
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const reason = options.isolation === 'none' ? undefined : await whyNoNamespaces();
  if (reason !== undefined && options.isolation === 'userns') throw new Error(reason);
  const isolation = options.isolation === 'none' || reason !== undefined ? 'none' : 'userns';
  const sandbox = new RunningSandbox(
    { ...options, dataDir: realpathSync(options.dataDir) },
    isolation,
    reason,
  );
  await sandbox.start();
  return sandbox;
}

class RunningSandbox implements Sandbox {
  readonly tier = 'sandbox';
  readonly provenance = 'stand_in';
  readonly isolation: 'userns' | 'none';
  readonly isolationReason: string | undefined;
  readonly clientKeyFile: string;
  clientPublicKey = '';
  hosts: readonly RunningSandboxHost[] = [];

  readonly #options: SandboxOptions;
  readonly #pipes = new PipePool();
  #unlock: (() => void) | undefined;

  constructor(options: SandboxOptions, isolation: 'userns' | 'none', reason: string | undefined) {
    this.#options = options;
    this.isolation = isolation;
    this.isolationReason = reason;
    this.clientKeyFile = join(options.dataDir, 'keys', 'client');
  }

  async start(): Promise<void> {
    if (this.#unlock) return;
    this.#unlock = lockDataFolder(this.#options.dataDir);
    try {
      this.clientPublicKey = keptKeyPair(this.clientKeyFile).publicKey;
      const settings = this.#options.names.map((name) => this.#settingsOf(name));
      const started = await Promise.allSettled(settings.map(startSandboxHost));
      this.hosts = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const failed = started.find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    const stopped = await Promise.allSettled(this.hosts.map((host) => host.stop()));
    this.#pipes.stop();
    this.#unlock?.();
    this.#unlock = undefined;
    const failed = stopped.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }

  #settingsOf(name: string): HostSettings {
    const options = this.#options;
    const shims = realpathSync(fileURLToPath(new URL('../shims', import.meta.url)));
    const standIns = options.standIns && realpathSync(options.standIns);
    const native = options.native && realpathSync(options.native);
    const needed = [shims, standIns, native].filter((path) => path !== undefined);
    const hidden = [
      options.dataDir,
      ...(options.hide ?? []).filter(existsSync).map((path) => realpathSync(path)),
    ];
    for (const path of needed) {
      const cover = hidden.find((folder) => path === folder || path.startsWith(`${folder}/`));
      if (cover)
        throw new Error(`${path} is needed on the sandbox hosts and lies in ${cover}, which is hidden there`);
    }
    return {
      name,
      dir: join(options.dataDir, 'hosts', name),
      isolation: this.isolation,
      shims,
      standIns,
      native,
      visible: underCovers([
        ...needed.flatMap((path) => [checkoutOf(path), path]),
        realpathSync(process.execPath),
      ]),
      hidden,
      authorizedKeys: [this.clientPublicKey, ...(options.authorizedKey ? [options.authorizedKey] : [])],
      pipes: this.#pipes,
      bootTimeoutMs: options.bootTimeoutMs ?? 15_000,
      haltTimeoutMs: options.haltTimeoutMs ?? 3_000,
    };
  }
}

/** The checkout around a folder: stand-ins written for Node find their packages only through it. */
function checkoutOf(path: string): string {
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'pnpm-workspace.yaml'))) return folder;
  }
  return path;
}

/** Those of the paths that a cover would hide, without the ones inside another of them. */
function underCovers(paths: readonly string[]): string[] {
  const covered = paths.filter((path) => COVERED.some((top) => path.startsWith(`${top}/`)));
  return [...new Set(covered)].filter((path) => !covered.some((other) => path.startsWith(`${other}/`)));
}
