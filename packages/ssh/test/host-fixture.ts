import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import type {
  AttemptBundle,
  AttemptRef,
  CheckCall,
  HostConnection,
  HostProgram,
  RunResult,
  RunSink,
} from '@capstan/engine';
import { type Sandbox, type SandboxHost, startSandbox } from '@capstan/lab';
import { createSshHosts, type SshHosts, type SshHostsOptions } from '../src/ssh-hosts.js';
import type { Sshd } from './sshd.js';

/** A host that tests run things on, enrolled. */
export interface TestHost {
  readonly hosts: SshHosts;
  readonly host: HostConnection;
  /** Another process's view of the same host: connections of its own. */
  another(options?: Partial<SshHostsOptions>): SshHosts;
  /** Closes all of them. */
  close(): Promise<void>;
}

export interface SandboxTestHost extends TestHost {
  readonly lab: Sandbox;
  readonly box: SandboxHost;
}

/** A sandbox for one test, whose link or host is to be disturbed. */
export async function sandboxHost(
  t: TestContext,
  options: Partial<SshHostsOptions> = {},
  isolation: 'auto' | 'none' = 'auto',
): Promise<SandboxTestHost> {
  const { host, stop } = await openSandbox(options, isolation);
  t.after(stop);
  return host;
}

/** A sandbox for the tests of a file, stopped after them; to be awaited at the top of the file. */
export async function fileSandbox(): Promise<SandboxTestHost> {
  const { host, stop } = await openSandbox();
  after(stop);
  return host;
}

async function openSandbox(
  options: Partial<SshHostsOptions> = {},
  isolation: 'auto' | 'none' = 'auto',
): Promise<{ readonly host: SandboxTestHost; stop(): Promise<void> }> {
  const { lab, dataDir } = await startOne(isolation);
  const box = lab.hosts[0] as SandboxHost;
  const record = connectionOf({
    port: box.port,
    user: box.user,
    fingerprint: box.hostKeyFingerprint,
    tier: 'sandbox',
    isolated: box.isolated,
  });
  const made = await enrolled(record, readFileSync(lab.clientKeyFile, 'utf8'), options);
  return {
    host: { ...made, lab, box },
    async stop() {
      await made.close();
      await lab.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** ssh2 1.17 makes one ed25519 key in 256 that it cannot read itself (it drops a leading zero); another folder gets another key. */
async function startOne(
  isolation: 'auto' | 'none',
): Promise<{ readonly lab: Sandbox; readonly dataDir: string }> {
  for (let tries = 1; ; tries++) {
    const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-ssh-')));
    try {
      const lab = await startSandbox({
        dataDir,
        names: ['lab-1'],
        isolation,
        standIns: join(import.meta.dirname, '../../lab/stand-ins'),
      });
      return { lab, dataDir };
    } catch (error) {
      rmSync(dataDir, { recursive: true, force: true });
      if (tries >= 4 || !/private key|public SSH key/i.test(String(error))) throw error;
    }
  }
}

export async function sshdHost(
  t: TestContext,
  sshd: Sshd,
  user: string,
  options: Partial<SshHostsOptions> = {},
): Promise<TestHost> {
  const made = await enrolled(
    connectionOf({ port: sshd.port, user, fingerprint: sshd.fingerprints.ed25519 }),
    sshd.privateKey,
    options,
  );
  t.after(() => made.close());
  return made;
}

export function connectionOf(way: {
  readonly port: number;
  readonly user: string;
  readonly fingerprint: string | null;
  readonly tier?: HostConnection['tier'];
  readonly isolated?: boolean;
}): HostConnection {
  const tier = way.tier ?? 'own';
  return {
    id: `host_${way.user}_${way.port}`,
    name: 'host-1',
    key: 'node/host-1',
    environment: 'lab',
    address: '127.0.0.1',
    port: way.port,
    user: way.user,
    credential: 'key',
    hostKeyFingerprint: way.fingerprint,
    runRoot: null,
    secretRoot: null,
    provenance: tier === 'sandbox' ? 'stand_in' : 'real',
    isolated: way.isolated ?? true,
    tier,
  };
}

async function enrolled(
  record: HostConnection,
  key: string,
  options: Partial<SshHostsOptions>,
): Promise<TestHost> {
  const all: SshHosts[] = [];
  const another = (more: Partial<SshHostsOptions> = {}): SshHosts => {
    const made = createSshHosts({ credentials: () => Promise.resolve(key), pollMs: 50, ...options, ...more });
    all.push(made);
    return made;
  };
  const hosts = another();
  const enrolment = await hosts.enrol(record);
  if (enrolment.kind === 'blocked') throw new Error(`not enrolled: ${JSON.stringify(enrolment.reason)}`);
  return {
    hosts,
    another,
    host: { ...record, runRoot: enrolment.runRoot, secretRoot: enrolment.secretRoot },
    async close() {
      await Promise.all(all.map((one) => one.close()));
    },
  };
}

export function attempt(host: HostConnection, more: Partial<AttemptRef> = {}): AttemptRef {
  const id = randomBytes(6).toString('hex');
  return {
    attemptId: `at_${id}`,
    operationId: `op_${id}`,
    nodeKey: `job[${id}]`,
    number: 1,
    fence: '7000000000000000001.1.5',
    runRoot: host.runRoot as string,
    secretRoot: host.secretRoot as string,
    ...more,
  };
}

export function program(
  script: string | Uint8Array | readonly string[],
  more: Partial<HostProgram> = {},
): HostProgram {
  const isCommand = Array.isArray(script);
  return {
    script: isCommand ? null : Buffer.from(script as string),
    command: isCommand ? (script as readonly string[]) : null,
    as: 'login',
    params: Buffer.from('{}'),
    env: {},
    secrets: [],
    inputs: [],
    timeoutMs: 60_000,
    ...more,
  };
}

export function bundle(
  ref: AttemptRef,
  script: string | Uint8Array | readonly string[],
  more: Partial<HostProgram> & {
    readonly redaction?: AttemptBundle['redaction'];
    readonly follow?: boolean;
  } = {},
): AttemptBundle {
  const { redaction, follow, ...rest } = more;
  return {
    ref,
    program: program(script, rest),
    redaction: redaction ?? { values: [], patterns: [] },
    follow: follow ?? true,
  };
}

export function check(
  id: string,
  script: string | readonly string[],
  more: Partial<HostProgram> = {},
): CheckCall {
  return { id, program: program(script, { timeoutMs: 10_000, ...more }) };
}

/** Keeps what an attempt printed, as a store would: by offset, without a gap. */
export class Recorder implements RunSink {
  bytes = Buffer.alloc(0);
  starts = 0;
  incarnation = '';
  #watchers: (() => void)[] = [];

  started(info: { readonly incarnation: string }): void {
    this.starts++;
    this.incarnation = info.incarnation;
    for (const watcher of this.#watchers) watcher();
  }

  async log(offset: number, bytes: Uint8Array): Promise<void> {
    if (offset !== this.bytes.length) throw new Error(`offset ${offset} after ${this.bytes.length} bytes`);
    this.bytes = Buffer.concat([this.bytes, bytes]);
    for (const watcher of this.#watchers) watcher();
  }

  get text(): string {
    return this.bytes.toString();
  }

  /** Resolves when the output holds the words, or at once for `started`. */
  async until(holds: (recorder: Recorder) => boolean, ms = 15_000): Promise<void> {
    const end = performance.now() + ms;
    while (!holds(this)) {
      if (performance.now() > end) throw new Error(`not in time; so far: ${this.text.slice(-400)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 100);
        this.#watchers.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
      this.#watchers = [];
    }
  }
}

/** Runs an attempt to whatever end, from the first byte. */
export async function runToEnd(
  test: TestHost,
  what: AttemptBundle,
  recorder = new Recorder(),
): Promise<{ result: RunResult; log: Recorder }> {
  const result = await test.hosts.run(
    test.host,
    what,
    recorder.bytes.length,
    recorder,
    new AbortController().signal,
  );
  return { result, log: recorder };
}

/** What a script prints when it is asked on the host, as a check. */
export async function ask(test: TestHost, script: string, as = 'login'): Promise<string> {
  const answer = await test.hosts.check(
    test.host,
    [check('ask', script, { as })],
    new AbortController().signal,
  );
  if (answer.kind === 'blocked') throw new Error(JSON.stringify(answer.reason));
  return Buffer.from(answer.answers[0]?.stdout ?? [])
    .toString()
    .trimEnd();
}

export async function eventually(holds: () => boolean | Promise<boolean>, ms = 10_000): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; ) {
    if (await holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}
