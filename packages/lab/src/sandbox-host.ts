import { randomInt } from 'node:crypto';
import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runBootProgram } from './boot.js';
import { type CommandPlace, type RunningCommand, startCommand } from './command.js';
import { type Account, type HostView, hostEnvironment, stateFolderOf } from './host-environment.js';
import { accountOf, prepareHostFolder } from './host-folder.js';
import { fingerprintOf, keptKeyPair, replaceKeyPair } from './keys.js';
import type { LabHost } from './lab-provider.js';
import { machineMounts, mountScript } from './mount-script.js';
import { type Holder, type Invocation, startHolder } from './namespace.js';
import type { PipePool } from './pipe-pool.js';
import { markedProcesses } from './process-table.js';
import { type CommandRequest, SshServer } from './ssh-server.js';

/** What can be made to go wrong with a sandbox host, while it runs. */
export interface HostFaults {
  /** Resets all connections and refuses new ones, for `ms` milliseconds or until `restoreLink`. */
  cutLink(ms?: number): void;
  /**
   * Holds every byte both ways and closes nothing, for `ms` milliseconds or until `restoreLink`; then all that
   * was held arrives, as after a path that lost every packet for that long.
   */
  silence(ms?: number): void;
  restoreLink(): void;
  /** Gives the host another key, shown to connections made from now on. */
  changeHostKey(): void;
  /** Sessions per connection; one more gets "open failed". sshd's default is 10. */
  setMaxSessions(count: number): void;
  /** On: logins are the unprivileged user `capstan`, and `sudo` wants a password that nobody has. */
  rejectSudo(on: boolean): void;
  /** A power cut and a new boot: every process of the host is gone, its files stay. */
  restart(): Promise<void>;
  /** Takes the host down for good. */
  close(): Promise<void>;
}

/** A host of the sandbox tier. */
export interface SandboxHost extends LabHost {
  /** The host's folder on the machine; its files are below `rootfs` in it. */
  readonly dir: string;
  readonly rootfs: string;
  readonly faults: HostFaults;
  /** Why `capstan-boot` did not bring everything up at the last start, in its own words. */
  readonly bootProblem: string | undefined;
  /** SSH authentication requests that arrived, of whatever method. */
  readonly authenticationRequests: number;
  /** Pids on the machine of all processes of the host. */
  processes(): number[];
}

/** What a sandbox host is made of; paths are real paths (no links). */
export interface HostSettings {
  readonly name: string;
  readonly dir: string;
  readonly isolation: 'userns' | 'none';
  readonly shims: string;
  readonly standIns: string | undefined;
  readonly native: string | undefined;
  readonly visible: readonly string[];
  readonly hidden: readonly string[];
  readonly authorizedKeys: readonly string[];
  readonly pipes: PipePool;
  readonly bootTimeoutMs: number;
  readonly haltTimeoutMs: number;
}

/** sshd sets these, and on Debian bash reads ~/.bashrc for a command because of them. */
const SSH_ENVIRONMENT = { SSH_CLIENT: '127.0.0.1 0 22', SSH_CONNECTION: '127.0.0.1 0 127.0.0.1 22' };

const ROOT = 'root';
const UNPRIVILEGED = 'capstan';

/** Brings a sandbox host up: files, namespaces, stand-ins of the boot, SSH server. */
export async function startSandboxHost(settings: HostSettings): Promise<RunningSandboxHost> {
  const host = new RunningSandboxHost(settings);
  try {
    await host.open();
    return host;
  } catch (error) {
    await host.stop();
    throw error;
  }
}

export class RunningSandboxHost implements SandboxHost {
  readonly name: string;
  readonly address = '127.0.0.1';
  readonly user = ROOT;
  readonly provenance = 'stand_in';
  readonly isolated: boolean;
  readonly dir: string;
  readonly rootfs: string;
  readonly faults: HostFaults;
  port = 0;
  hostKeyFingerprint: string;
  bootProblem: string | undefined;

  readonly #settings: HostSettings;
  readonly #server: SshServer;
  #holder: Holder | undefined;
  #sudoRefused = false;
  #linkTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(settings: HostSettings) {
    this.#settings = settings;
    this.name = settings.name;
    this.isolated = settings.isolation === 'userns';
    prepareHostFolder(join(settings.dir, 'rootfs'), settings.name);
    this.dir = realpathSync(settings.dir);
    this.rootfs = join(this.dir, 'rootfs');
    const key = keptKeyPair(join(this.dir, 'host_key'));
    this.hostKeyFingerprint = fingerprintOf(key.publicKey);
    this.#server = new SshServer(
      {
        users: [ROOT, UNPRIVILEGED],
        authorizedKeys: settings.authorizedKeys,
        run: (request) => this.#run(request),
      },
      key.privateKey,
    );
    this.faults = this.#faultApi();
  }

  get authenticationRequests(): number {
    return this.#server.authenticationRequests;
  }

  processes(): number[] {
    if (this.#settings.isolation === 'userns') return this.#holder?.members() ?? [];
    return markedProcesses(`CAPSTAN_LAB_STATE=${stateFolderOf(this.rootfs)}`, this.rootfs);
  }

  async open(): Promise<void> {
    this.#killLeftovers();
    this.#applySudoRefusal();
    await this.#powerOn();
    await this.#listen();
  }

  /** Orderly stop: services first, then everything; resolves when no process of the host is left. */
  async stop(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#linkTimer);
    await this.#server.close();
    try {
      await this.#runHook('capstan-halt', this.#settings.haltTimeoutMs);
    } finally {
      await this.#powerOff();
    }
  }

  async #powerOn(): Promise<void> {
    if (this.#settings.isolation === 'userns') {
      const script = mountScript({
        name: this.name,
        rootfs: this.rootfs,
        firstPid: randomInt(1_000, 20_000),
        visible: this.#settings.visible,
        hidden: this.#settings.hidden,
        mounts: machineMounts(readFileSync('/proc/self/mountinfo', 'utf8')),
      });
      const holder = await startHolder(this.dir, script);
      this.#holder = holder;
      // A host that went down by itself answers nothing, as a crashed machine would.
      void holder.ended.then(() => {
        if (this.#holder === holder) this.#server.refuse();
      });
    }
    this.bootProblem = await this.#runHook('capstan-boot', this.#settings.bootTimeoutMs);
  }

  async #powerOff(): Promise<void> {
    const holder = this.#holder;
    this.#holder = undefined;
    await holder?.kill();
    this.#killLeftovers();
  }

  async #listen(): Promise<void> {
    const file = join(this.dir, 'port');
    this.port = await this.#server.listen(keptPort(file));
    writeFileSync(file, `${this.port}\n`);
  }

  async #restart(): Promise<void> {
    await this.#server.close();
    await this.#powerOff();
    prepareHostFolder(this.rootfs, this.name);
    this.#server.restore();
    await this.#powerOn();
    await this.#listen();
  }

  /** Without namespaces nothing ends a host's processes but this; with them there is none to find. */
  #killLeftovers(): void {
    if (this.#settings.isolation === 'userns') return;
    for (const pid of this.processes()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  }

  async #run(request: CommandRequest): Promise<RunningCommand> {
    const account = this.#account(this.#sudoRefused ? UNPRIVILEGED : request.user);
    const argv = request.line === undefined ? [account.shell, '-l'] : [account.shell, '-c', request.line];
    const loggedIn = account.user === ROOT ? argv : this.#asUser(account.user, argv);
    const env = { ...request.env, ...this.#environment(account), ...SSH_ENVIRONMENT };
    return startCommand(this.#enter(loggedIn), this.#place(env, account));
  }

  #asUser(user: string, argv: readonly string[]): string[] {
    return [
      '/bin/sh',
      '-c',
      'cd "$HOME"; exec "$@"',
      'sh',
      join(this.#settings.shims, 'capstan-as'),
      user,
      ...argv,
    ];
  }

  /** Runs one of the two programs that stand-ins may bring for a host's start and end; tells what went wrong. */
  async #runHook(program: string, timeoutMs: number): Promise<string | undefined> {
    const { standIns } = this.#settings;
    if (standIns === undefined) return undefined;
    const account = this.#account(ROOT);
    const place = this.#place(this.#environment(account), account);
    return runBootProgram(join(standIns, program), (argv) => this.#enter(argv), {
      ...place,
      logFile: join(this.dir, `${program}.log`),
      timeoutMs,
    });
  }

  #enter(argv: readonly string[]): Invocation {
    if (this.#settings.isolation === 'none') return { file: argv[0] as string, args: argv.slice(1) };
    if (!this.#holder) throw new Error('the sandbox host is down');
    return this.#holder.enter(argv);
  }

  #place(env: Record<string, string>, account: Account): CommandPlace {
    const isolated = this.#settings.isolation === 'userns';
    return { cwd: isolated ? '/' : join(this.rootfs, account.home), env, pipes: this.#settings.pipes };
  }

  #environment(account: Account): Record<string, string> {
    const { name, isolation, shims, standIns, native } = this.#settings;
    const view: HostView = { name, isolation, rootfs: this.rootfs, shims, standIns, native };
    return hostEnvironment(view, account);
  }

  #account(user: string): Account {
    const account = accountOf(this.rootfs, user);
    if (!account) throw new Error(`the host's /etc/passwd has no user ${user}`);
    return account;
  }

  #applySudoRefusal(): void {
    const file = join(stateFolderOf(this.rootfs), 'sudo-refused');
    if (this.#sudoRefused) writeFileSync(file, '');
    else rmSync(file, { force: true });
  }

  #restoreAfter(ms: number | undefined): void {
    clearTimeout(this.#linkTimer);
    if (ms === undefined) return;
    this.#linkTimer = setTimeout(() => this.#server.restore(), ms);
    this.#linkTimer.unref();
  }

  #faultApi(): HostFaults {
    return {
      cutLink: (ms) => {
        this.#server.refuse();
        this.#restoreAfter(ms);
      },
      silence: (ms) => {
        this.#server.hold();
        this.#restoreAfter(ms);
      },
      restoreLink: () => {
        clearTimeout(this.#linkTimer);
        this.#server.restore();
      },
      changeHostKey: () => {
        const key = replaceKeyPair(join(this.dir, 'host_key'));
        this.#server.useHostKey(key.privateKey);
        this.hostKeyFingerprint = fingerprintOf(key.publicKey);
      },
      setMaxSessions: (count) => {
        this.#server.maxSessions = count;
      },
      rejectSudo: (on) => {
        this.#sudoRefused = on;
        this.#applySudoRefusal();
      },
      restart: () => this.#restart(),
      close: () => this.stop(),
    };
  }
}

function keptPort(file: string): number {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || 0;
  } catch {
    return 0; // first start of this host
  }
}
