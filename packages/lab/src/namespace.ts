import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { identityOf, isAlive, namespaceMembers, type ProcessIdentity } from './process-table.js';

/** A program to start on the machine. */
export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
}

const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
const UNSHARE = ['--user', '--map-root-user', '--mount', '--pid', '--uts', '--ipc', '--fork', '--kill-child'];

/** Whether this kernel lets this user isolate hosts; undefined when it does, else the reason in words. */
export async function whyNoNamespaces(): Promise<string | undefined> {
  if (process.platform !== 'linux')
    return `user namespaces are a feature of Linux, this is ${process.platform}`;
  for (const tool of ['unshare', 'nsenter', 'mount']) {
    if (!toolPath(tool)) return `the program ${tool} is missing (Debian: package util-linux, mount)`;
  }
  const trial =
    'mount -t proc proc /proc && mount -t tmpfs trial /tmp && unshare --user --map-user=1 --map-group=1 true';
  const child = spawn(toolPath('unshare') ?? 'unshare', [...UNSHARE, '--', '/bin/sh', '-c', trial], {
    cwd: '/',
    env: { PATH: SYSTEM_PATH, LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  const code = await exitOf(child);
  if (code === 0) return undefined;
  return `the kernel refuses user namespaces: ${Buffer.concat(said).toString().trim() || `unshare exited with ${code}`}`;
}

/** The process that holds a host's namespaces; the host is up exactly as long as it lives. */
export interface Holder {
  /** PID 1 of the host, as the machine numbers it. */
  readonly init: ProcessIdentity;
  /** Resolves when the host is down, for whatever reason. */
  readonly ended: Promise<void>;
  /** The invocation that runs `argv` inside, as root, in root's home. */
  enter(argv: readonly string[]): Invocation;
  /** Pids on the machine of everything that runs inside. */
  members(): number[];
  /** Ends the host and all its processes at once, like a power cut; resolves when none is left. */
  kill(): Promise<void>;
}

/** Starts a host's first process with `script` (see mount-script.ts). Throws an Error with what it said if it fails. */
export async function startHolder(folder: string, script: string): Promise<Holder> {
  const recordFile = join(folder, 'holder.json');
  await endFormer(recordFile);
  const logFile = join(folder, 'holder.log');
  const log = openSync(logFile, 'w', 0o600);
  const argv = [toolPath('unshare') ?? 'unshare', ...UNSHARE, '--', '/bin/sh', '-c', script];
  // Two ties to this process, for kill -9 of it: the death signal, and the end of the holder's standard input.
  const setpriv = toolPath('setpriv');
  if (setpriv) argv.unshift(setpriv, '--pdeathsig', 'KILL');
  const child = spawn(argv[0] as string, argv.slice(1), {
    cwd: '/',
    env: { PATH: SYSTEM_PATH, LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', log],
    detached: true,
  });
  closeSync(log);
  const exited = exitOf(child);
  let isUp = true;
  const ended = exited.then(() => {
    isUp = false;
    rmSync(recordFile, { force: true });
  });
  child.stdin?.on('error', () => {}); // the holder ended first; `ended` tells
  const pid = await Promise.race([readyPid(child), exited.then(() => undefined)]);
  const init = pid === undefined ? undefined : identityOf(pid);
  if (!init) {
    child.kill('SIGKILL');
    throw new Error(`the sandbox host could not be isolated: ${readFileSync(logFile, 'utf8').trim()}`);
  }
  try {
    writeFileSync(recordFile, JSON.stringify(init), { mode: 0o600 });
  } catch (error) {
    // Nobody else knows of it yet: left alone it would keep the host, and this process, alive for ever.
    process.kill(init.pid, 'SIGKILL');
    await ended;
    throw error;
  }
  const nsenter = toolPath('nsenter') ?? 'nsenter';
  const target = [
    '-t',
    String(init.pid),
    '-U',
    '-m',
    '-p',
    '-u',
    '-i',
    '--preserve-credentials',
    '--wd',
    '--',
  ];
  return {
    init,
    ended,
    enter(argv) {
      // The pid could be another's by now; entering that one's namespaces would run the command on the machine.
      if (!isUp) throw new Error('the sandbox host is down');
      return { file: nsenter, args: [...target, ...argv] };
    },
    members: () => (isUp ? namespaceMembers(init.pid) : []),
    async kill() {
      if (isUp && isAlive(init)) process.kill(init.pid, 'SIGKILL');
      await ended;
    },
  };
}

/** Absolute path of a program of the system, looked for in the sbin folders too. */
export function toolPath(name: string): string | undefined {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), ...SYSTEM_PATH.split(':')]) {
    if (!folder.startsWith('/')) continue;
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // not here: the next folder
    }
  }
  return undefined;
}

/** Ends a holder that outlived the process which started it; it should not, but two on one folder would corrupt it. */
async function endFormer(recordFile: string): Promise<void> {
  let former: ProcessIdentity;
  try {
    former = JSON.parse(readFileSync(recordFile, 'utf8')) as ProcessIdentity;
  } catch {
    return; // none recorded
  }
  if (isAlive(former)) process.kill(former.pid, 'SIGKILL');
  while (isAlive(former)) await new Promise((resolve) => setTimeout(resolve, 10));
  rmSync(recordFile, { force: true });
}

function readyPid(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /^ready (\d+)$/m.exec(text);
      if (found) resolve(Number(found[1]));
    });
  });
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code));
  });
}
