import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import ssh2, { type Client, type ClientChannel, type ConnectConfig } from 'ssh2';
import { requireSuite } from '../../../scripts/suites.mjs';
import { whyNoNamespaces } from '../src/namespace.js';
import { type Sandbox, type SandboxOptions, startSandbox } from '../src/sandbox.js';
import type { SandboxHost } from '../src/sandbox-host.js';

export interface Outcome {
  readonly code: number | null;
  readonly signal: string | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** A sandbox in a folder of its own, down when the test ends. */
export async function sandboxFor(t: TestContext, options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const dataDir = options.dataDir ?? temporaryFolder();
  const lab = await startSandbox({ names: ['lab-1'], ...options, dataDir });
  t.after(() => lab.stop());
  return lab;
}

/** A folder that lasts as long as this process. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-lab-')));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function firstHost(lab: Sandbox): SandboxHost {
  const host = lab.hosts[0];
  if (!host) throw new Error('the sandbox has no host');
  return host;
}

export function logIn(
  lab: Sandbox,
  host: SandboxHost = firstHost(lab),
  more: ConnectConfig = {},
): Promise<Client> {
  const client = new ssh2.Client();
  return new Promise((resolve, reject) => {
    client.on('error', reject); // stays: a test may cut the link later, which then changes nothing
    client.once('ready', () => {
      client.setNoDelay(true);
      resolve(client);
    });
    client.connect({
      host: host.address,
      port: host.port,
      username: host.user,
      privateKey: readFileSync(lab.clientKeyFile),
      ...more,
    });
  });
}

export function open(client: Client, line: string, env: NodeJS.ProcessEnv = {}): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    client.exec(line, { env }, (error, channel) => (error ? reject(error) : resolve(channel)));
  });
}

export async function run(
  client: Client,
  line: string,
  input: string | Buffer = '',
  env = {},
): Promise<Outcome> {
  const channel = await open(client, line, env);
  const [out, errors]: [Buffer[], Buffer[]] = [[], []];
  channel.on('data', (chunk: Buffer) => out.push(chunk));
  channel.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  channel.end(input);
  return new Promise((resolve) => {
    channel.once('close', (code: number | null, signal: string | undefined) => {
      resolve({
        code: code ?? null,
        signal,
        stdout: Buffer.concat(out),
        stderr: Buffer.concat(errors).toString(),
      });
    });
  });
}

/** The standard output of a command that must succeed, without the last line end. */
export async function said(client: Client, line: string): Promise<string> {
  const outcome = await run(client, line);
  if (outcome.code !== 0)
    throw new Error(`${line}: ended with ${outcome.signal ?? outcome.code}: ${outcome.stderr}`);
  return outcome.stdout.toString().trimEnd();
}

/** Waits for `holds` at most `ms`; returns how it ended. */
export async function eventually(holds: () => boolean | Promise<boolean>, ms = 5_000): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    if (await holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

/** Whether tests that need namespaces may be registered here. */
export async function usernsSuite(): Promise<boolean> {
  const reason = await whyNoNamespaces();
  return requireSuite('userns', reason === undefined, reason ?? '', 'a Linux kernel with user namespaces');
}

export function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}
