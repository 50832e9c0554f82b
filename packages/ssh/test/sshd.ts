import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireSuite } from '../../../scripts/suites.mjs';

/** An OpenSSH server on 127.0.0.1 with accounts of its own: /etc/passwd and its kin, /home, /root, /var/lib and /run are replaced in a mount namespace. */
export interface Sshd {
  readonly port: number;
  readonly folder: string;
  readonly privateKey: string;
  readonly fingerprints: Readonly<Record<'ed25519' | 'ecdsa' | 'rsa', string>>;
  /** What the server has logged. */
  log(): string;
  /** Kills the server's side of every connection, as a restart of sshd with its sessions does. */
  dropSessions(): void;
  /** Runs a script as root where the server's accounts and folders are. */
  inside(script: string): string;
  stop(): Promise<void>;
}

export interface SshdOptions {
  readonly config?: readonly string[];
  /** Runs as root in the namespace before the server starts. */
  readonly prepare?: string;
}

/** Registers nothing where there is no OpenSSH server or no root. */
export function sshdSuite(): boolean {
  const root = process.getuid?.() === 0;
  const there = ['/usr/sbin/sshd', '/usr/bin/sudo', '/usr/bin/unshare'].every((file) => existsSync(file));
  const canUnshare = root && there && tries('unshare', ['--mount', 'true']);
  return requireSuite(
    'sshd',
    canUnshare,
    root ? (there ? 'no mount namespaces' : 'no OpenSSH server or no sudo') : 'not root',
    'run as root after apt-get install openssh-server sudo',
  );
}

/** Accounts: `plain` (no sudo), `power` (sudo without password), `asks` (sudo with password), `app` (no login needed). */
const ACCOUNTS = [
  ['plain', 20_001],
  ['power', 20_002],
  ['asks', 20_003],
  ['app', 20_004],
] as const;

export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-sshd-'));
  chmodSync(folder, 0o755);
  for (const [type, file] of [
    ['ed25519', 'client'],
    ['ed25519', 'ed25519'],
    ['ecdsa', 'ecdsa'],
    ['rsa', 'rsa'],
  ] as const) {
    execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', join(folder, file)]);
  }
  writeFileSync(join(folder, 'authorized'), readFileSync(join(folder, 'client.pub')), { mode: 0o644 });
  const port = await freePort();
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `AuthorizedKeysFile ${folder}/authorized`,
    'PermitRootLogin yes',
    'UsePAM no',
    'StrictModes no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PidFile none',
    'LogLevel DEBUG1',
    'UseDNS no',
    ...['ed25519', 'ecdsa', 'rsa'].map((type) => `HostKey ${folder}/${type}`),
  ];
  writeFileSync(join(folder, 'sshd_config'), `${[...(options.config ?? []), ...lines].join('\n')}\n`);
  writeFileSync(join(folder, 'start.sh'), startScript(folder, options.prepare ?? ''));
  const server = spawn(
    'unshare',
    ['--mount', '--propagation', 'private', '/bin/sh', join(folder, 'start.sh')],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  server.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await answering(port, server, () => said + readLog(folder));
  return {
    port,
    folder,
    privateKey: readFileSync(join(folder, 'client'), 'utf8'),
    fingerprints: {
      ed25519: fingerprint(folder, 'ed25519'),
      ecdsa: fingerprint(folder, 'ecdsa'),
      rsa: fingerprint(folder, 'rsa'),
    },
    log: () => readLog(folder),
    dropSessions() {
      for (const session of sessionsUnder(server.pid as number)) process.kill(session, 'SIGKILL');
    },
    inside: (script) =>
      execFileSync('nsenter', ['-t', String(server.pid), '-m', '/bin/sh', '-c', script], {
        encoding: 'utf8',
      }),
    async stop() {
      const gone = new Promise((resolve) => server.once('exit', resolve));
      if (server.exitCode === null && server.kill('SIGTERM')) await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function startScript(folder: string, prepare: string): string {
  const passwd = ACCOUNTS.map(([name, id]) => `${name}:x:${id}:${id}::/home/${name}:/bin/bash`);
  const files = {
    passwd: ['root:x:0:0:root:/root:/bin/bash', 'sshd:x:105:65534::/run/sshd:/usr/sbin/nologin', ...passwd],
    group: ['root:x:0:', 'nogroup:x:65534:', ...ACCOUNTS.map(([name, id]) => `${name}:x:${id}:`)],
    shadow: ['root:*:19700:0:99999:7:::', ...ACCOUNTS.map(([name]) => `${name}:*:19700:0:99999:7:::`)],
    sudoers: [
      'Defaults env_reset',
      'Defaults use_pty',
      'Defaults secure_path="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"',
      'root ALL=(ALL:ALL) ALL',
      'power ALL=(ALL:ALL) NOPASSWD: ALL',
      'asks ALL=(ALL:ALL) ALL',
    ],
  };
  for (const [name, lines] of Object.entries(files)) {
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`, {
      mode: name === 'sudoers' ? 0o440 : name === 'shadow' ? 0o640 : 0o644,
    });
  }
  return `set -eu
${Object.keys(files)
  .map((name) => `mount --bind ${folder}/${name} /etc/${name}`)
  .join('\n')}
for place in /home /root /var/lib /run; do mount -t tmpfs -o mode=0755 own $place; done
mkdir -p /run/sshd /run/sudo
${ACCOUNTS.map(([name]) => `mkdir -m 700 /home/${name}; chown ${name}:${name} /home/${name}`).join('\n')}
${prepare}
exec /usr/sbin/sshd -D -f ${folder}/sshd_config -E ${folder}/log
`;
}

/** sshd's own processes below the server: the privileged half of a session, and the other one, which has the socket. */
function sessionsUnder(parent: number): number[] {
  const below = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && parentOf(name) === parent && nameOf(name) === 'sshd',
  );
  return below.flatMap((pid) => [...sessionsUnder(Number(pid)), Number(pid)]);
}

function nameOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return ''; // ended meanwhile
  }
}

function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0; // ended meanwhile
  }
}

function readLog(folder: string): string {
  return existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : '';
}

function fingerprint(folder: string, type: string): string {
  return (
    execFileSync('ssh-keygen', ['-lf', join(folder, `${type}.pub`)], { encoding: 'utf8' }).split(' ')[1] ?? ''
  );
}

function tries(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, [...args], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // not allowed here: the suite says so
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

async function answering(port: number, server: ChildProcess, said: () => string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (server.exitCode !== null) throw new Error(`sshd did not start: ${said()}`);
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`sshd does not answer: ${said()}`);
}
