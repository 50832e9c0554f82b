import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const START_MS = 60_000;

/** The parts of a test that this file needs. */
export interface Test {
  after(act: () => Promise<void> | void): void;
}

/** Through what a program of the product runs; by default directly, in this checkout. */
export interface Way {
  /** Put before the command: `unshare …`, `env -i …`. */
  readonly through?: readonly string[];
  /** This checkout by another path. */
  readonly root?: string;
  /** `start` goes through the script of `npm start`; default the server itself. */
  readonly entry?: 'start' | 'server';
  /** Another command line than that of `entry`, run in the checkout. */
  readonly command?: readonly string[];
}

/** What one invocation of the CLI printed. */
export interface Invocation {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The one document of `--json`. */
  json<T = Record<string, unknown>>(): T;
}

/** A running Capstan on a free port with a data folder of its own. */
export interface Product {
  readonly url: string;
  readonly data: string;
  readonly pid: number;
  /** Everything it printed so far. */
  output(): string;
  cli(...args: string[]): Promise<Invocation>;
  /** Sends TERM and gives its exit code and how long the end took. */
  stop(): Promise<{ readonly code: number | null; readonly ms: number }>;
}

/**
 * The end of a shell script that runs `"$@"` as the user who runs the tests, after a step in namespaces that needed
 * more. For a plain user the shell stays, because its user namespace is the one through which a test can enter.
 */
export function asTheUser(): string {
  if (process.getuid?.() === 0) return 'exec "$@"';
  return [
    `unshare --user --map-user=${process.getuid?.()} --map-group=${process.getgid?.()} "$@" & child=$!`,
    'trap \'kill -TERM "$child"\' TERM',
    'wait "$child" && code=0 || code=$?',
    'while kill -0 "$child" 2>/dev/null; do wait "$child" && code=0 || code=$?; done',
    'exit "$code"',
  ].join('\n');
}

/** A data folder that a database of another user can be reached in; removed at the end. */
export function dataFolder(t: Test): string {
  const parent = mkdtempSync(join(tmpdir(), 'capstan-e2e-'));
  chmodSync(parent, 0o755);
  t.after(() => rmSync(parent, { recursive: true, force: true, maxRetries: 3 }));
  return join(parent, 'data');
}

/** Starts the built server and waits for its ready line. */
export async function startProduct(
  t: Test,
  data: string,
  env: Record<string, string> = {},
  way: Way = {},
): Promise<Product> {
  const server = launch(data, { CAPSTAN_PORT: '0', CAPSTAN_PACKS: join(ROOT, 'e2e/packs'), ...env }, way);
  t.after(async () => {
    await server.stop();
  });
  const ready = await Promise.race([
    server.line(/^Capstan is ready: (http:\/\/127\.0\.0\.1:\d+\/)$/m),
    server.ended,
  ]);
  if (typeof ready !== 'string') throw new Error(`the server ended with ${ready.code}:\n${server.output()}`);
  return {
    url: ready,
    data,
    pid: server.process.pid ?? 0,
    output: server.output,
    stop: server.stop,
    cli: (...args) => runCli(args, { CAPSTAN_DATA: data }, way),
  };
}

/** A start that is expected to end by itself. */
export async function startAndWait(
  data: string,
  env: Record<string, string>,
  way: Way = {},
): Promise<{ code: number | null; output: string }> {
  const server = launch(data, env, way);
  const { code } = await server.ended;
  return { code, output: server.output() };
}

/** One invocation of `bin/capstan` without a terminal, with a clean environment. */
export function runCli(
  args: readonly string[],
  env: Record<string, string>,
  way: Way = {},
): Promise<Invocation> {
  return startCli(args, env, way).ended;
}

/** An invocation that can be interrupted. */
export function startCli(
  args: readonly string[],
  env: Record<string, string>,
  { through = [], root = ROOT }: Way = {},
): { readonly process: ChildProcess; readonly ended: Promise<Invocation>; output(): string } {
  const [file = '', ...rest] = [...through, process.execPath, join(root, 'bin/capstan.mjs'), ...args];
  const child = spawn(file, rest, {
    cwd: ROOT,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Invocation>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) =>
      done({ code: code ?? -1, stdout, stderr, json: () => JSON.parse(stdout) as never }),
    );
  });
  return { process: child, ended, output: () => stdout };
}

/** A start of which nothing is awaited yet. */
export function launch(
  data: string,
  env: Record<string, string>,
  { through = [], root = ROOT, entry = 'server', command }: Way = {},
) {
  const program =
    entry === 'start'
      ? [join(root, 'scripts/start.mjs')]
      : ['--enable-source-maps', join(root, 'apps/server/dist/main.js')];
  const [file = '', ...rest] = [...through, ...(command ?? [process.execPath, ...program])];
  const child: ChildProcess = spawn(file, rest, {
    cwd: ROOT,
    env: { ...cleanEnvironment(), CAPSTAN_DATA: data, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  endWithThisTest(child);
  let text = '';
  let told = (): void => undefined;
  const hear = (chunk: Buffer): void => {
    text += chunk.toString('utf8');
    told();
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  const ended = new Promise<{ code: number | null }>((done) => child.once('close', (code) => done({ code })));
  return {
    process: child,
    ended,
    output: () => text,
    async line(pattern: RegExp): Promise<string> {
      const until = Date.now() + START_MS;
      for (;;) {
        const found = pattern.exec(text);
        if (found) return found[1] ?? found[0];
        if (Date.now() > until) throw new Error(`no line ${pattern} in ${START_MS} ms:\n${text}`);
        await Promise.race([sleep(200), new Promise<void>((wake) => (told = wake))]);
      }
    },
    async stop() {
      const began = Date.now();
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      const kill = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), 20_000);
      const { code } = await ended;
      clearTimeout(kill);
      return { code, ms: Date.now() - began };
    },
  };
}

/** A test that is killed runs nothing of what it registered, and its server would go on for ever: the end of a pipe stops it. */
function endWithThisTest(server: ChildProcess): void {
  const watch = spawn('sh', ['-c', 'read ended || kill -TERM "$0"', String(server.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watch.unref();
  // A running test must not wait for the pipe, nor fail when the watch is gone first.
  (watch.stdin as unknown as Socket).unref();
  watch.stdin?.on('error', () => undefined);
  server.once('close', () => watch.stdin?.end('ended\n'));
}

function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(CAPSTAN_|DATABASE_URL$|NODE_)/.test(name));
  return Object.fromEntries(kept);
}

/** A process by pid and start time: a reused pid is another one. */
export interface Seen {
  readonly pid: number;
  readonly started: string;
  readonly command: string;
}

/** Every process that a server started, by descent or because it works in the server's data folder. */
export function processesOf(server: number, data: string): (Seen & { readonly parent: number })[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => seen(Number(name)));
  const ours = new Set([server]);
  for (let before = 0; before !== ours.size; ) {
    before = ours.size;
    for (const one of all) if (ours.has(one.parent)) ours.add(one.pid);
  }
  return all.filter((one) => one.pid !== process.pid && (ours.has(one.pid) || one.command.includes(data)));
}

/** Those of the recorded processes that still live. */
export function alive(recorded: readonly Seen[]): Seen[] {
  return recorded.filter((one) => seen(one.pid).some((now) => now.started === one.started));
}

function seen(pid: number): (Seen & { readonly parent: number })[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return [];
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return [{ pid, parent: Number(fields[1]), started: fields[19] ?? '', command }];
  } catch {
    return []; // ended meanwhile
  }
}

/** Waits until the condition gives something; fails after `ms`. */
export async function until<T>(
  what: string,
  ms: number,
  condition: () => Promise<T | null | false>,
): Promise<T> {
  const end = Date.now() + ms;
  // Most conditions start a process: asked five times a second, they would take what they wait for half its time.
  for (let pause = 100; ; pause = Math.min(pause * 1.5, 1_000)) {
    const found = await condition();
    if (found !== null && found !== false) return found;
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain for: ${what}`);
    await sleep(pause);
  }
}

export { ROOT };
