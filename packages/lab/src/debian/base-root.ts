import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './machine-command.js';
import { type Mirror, sourcesList } from './mirrors.js';
import { endProcesses, pidAlive, processesIn } from './process-search.js';
import { unmountBelow } from './unmount.js';

/** The user that every host has, with the lab's key and sudo without a prompt. */
export const LOGIN_USER = 'capstan';

const PACKAGES = [
  ...['ca-certificates', 'iproute2', 'iputils-ping', 'procps', 'openssh-server', 'openssh-sftp-server'],
  ...['systemd', 'systemd-sysv', 'dbus', 'curl', 'sudo', 'less', 'netcat-openbsd'],
];

/** Units that would hold the package lock, ask the network or sit on the console at a time of their own. */
const MASKED = [
  ...[
    'apt-daily.timer',
    'apt-daily-upgrade.timer',
    'e2scrub_all.timer',
    'fstrim.timer',
    'dpkg-db-backup.timer',
  ],
  ...['console-getty.service', 'systemd-networkd-wait-online.service'],
];

const FILES: Readonly<Record<string, string>> = {
  '/etc/ssh/sshd_config.d/lab.conf':
    'HostKey /etc/ssh/ssh_host_ed25519_key\nPasswordAuthentication no\nUseDNS no\n',
  [`/etc/sudoers.d/${LOGIN_USER}`]: `${LOGIN_USER} ALL=(ALL:ALL) NOPASSWD: ALL\n`,
  '/etc/resolv.conf': '',
  '/etc/default/locale': 'LANG=C.UTF-8\n',
};

/**
 * The folder of the base system that all hosts of a cache share, read-only under their overlays. It is built in
 * a folder of its own and renamed, so that a build that was cut off leaves nothing that looks whole; the packages
 * it had fetched are kept for the next try.
 */
export async function baseRoot(
  cache: string,
  mirrors: readonly Mirror[],
  say: (line: string) => void,
): Promise<string> {
  const base = join(cache, `base-${recipe(mirrors)}`);
  if (existsSync(base)) return base;
  const release = await lock(join(cache, 'base.lock'), say);
  try {
    if (existsSync(base)) return base;
    await removeUnfinished(cache);
    say('building the base system (debootstrap, one to three minutes, once)');
    const building = join(cache, `building-${process.pid}`);
    await build(building, join(cache, 'debs'), mirrors);
    renameSync(building, base);
    return base;
  } finally {
    release();
  }
}

async function build(root: string, debs: string, mirrors: readonly Mirror[]): Promise<void> {
  const [release] = mirrors;
  if (!release) throw new Error('there is no mirror to build from');
  mkdirSync(debs, { recursive: true });
  await run('debootstrap', [
    '--variant=minbase',
    `--include=${PACKAGES.join(',')}`,
    `--cache-dir=${debs}`,
    release.suite,
    root,
    release.uri,
  ]);
  await run('chroot', [root, 'useradd', '--create-home', '--shell', '/bin/bash', LOGIN_USER]);
  for (const [file, text] of Object.entries(FILES)) put(root, file, text);
  put(root, '/etc/apt/sources.list', sourcesList(mirrors));
  chmodSync(join(root, `/etc/sudoers.d/${LOGIN_USER}`), 0o440);
  for (const unit of MASKED) await run('ln', ['-sfn', '/dev/null', join(root, 'etc/systemd/system', unit)]);
  await run('chroot', [root, 'apt-get', 'clean']);
  for (const name of readdirSync(join(root, 'etc/ssh'))) {
    if (name.startsWith('ssh_host_')) rmSync(join(root, 'etc/ssh', name));
  }
}

function put(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** Another recipe is another base; hosts that still run on the old one keep it. */
function recipe(mirrors: readonly Mirror[]): string {
  const text = JSON.stringify([PACKAGES, MASKED, FILES, mirrors]);
  return `${mirrors[0]?.suite}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
}

/** What builders that died left behind, with the processes that outlived them. */
async function removeUnfinished(cache: string): Promise<void> {
  for (const name of readdirSync(cache).filter((one) => one.startsWith('building-'))) {
    const folder = join(cache, name);
    await endProcesses(processesIn(folder));
    await unmountBelow(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function lock(file: string, say: (line: string) => void): Promise<() => void> {
  mkdirSync(dirname(file), { recursive: true });
  let told = false;
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = Number(existsSync(file) ? readFileSync(file, 'utf8') : 0);
    if (holder > 0 && pidAlive(holder)) {
      if (!told) say(`waiting for process ${holder}, which builds the base system`);
      told = true;
      await sleep(500);
    } else {
      rmSync(file, { force: true });
    }
  }
}
