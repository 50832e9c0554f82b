import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Account, stateFolderOf } from './host-environment.js';

/**
 * Lays out a host's files under `rootfs`. Runs at each start of the host: what a boot clears (/tmp, /run) is
 * emptied, the rest is made when absent and otherwise left as the host's jobs have changed it.
 */
export function prepareHostFolder(rootfs: string, name: string): void {
  for (const cleared of ['tmp', 'run']) rmSync(join(rootfs, cleared), { recursive: true, force: true });
  for (const [folder, mode] of FOLDERS) {
    const path = join(rootfs, folder);
    if (existsSync(path)) continue;
    mkdirSync(path, { recursive: true });
    chmodSync(path, mode);
  }
  mkdirSync(stateFolderOf(rootfs), { recursive: true });
  for (const [link, target] of LINKS)
    if (!present(join(rootfs, link))) symlinkSync(target, join(rootfs, link));
  for (const [file, text] of Object.entries(etcFiles(name))) {
    const path = join(rootfs, 'etc', file);
    if (!present(path)) writeFileSync(path, text, { mode: file === 'shadow' ? 0o640 : 0o644 });
  }
  for (const file of FROM_THE_MACHINE) takeFromMachine(file, join(rootfs, file));
}

/** The account `user` in the host's own /etc/passwd, as sshd would read it at each login. */
export function accountOf(rootfs: string, user: string): Account | undefined {
  for (const line of readFileSync(join(rootfs, 'etc/passwd'), 'utf8').split('\n')) {
    const fields = line.split(':');
    if (fields[0] === user) return { user, home: fields[5] || '/', shell: fields[6] || '/bin/sh' };
  }
  return undefined;
}

const FOLDERS: readonly (readonly [string, number])[] = [
  ['etc', 0o755],
  ['etc/alternatives', 0o755],
  ['etc/ssl', 0o755],
  ['etc/ld.so.conf.d', 0o755],
  ['var', 0o755],
  ['var/lib', 0o755],
  ['var/log', 0o755],
  ['var/cache', 0o755],
  ['var/spool', 0o755],
  ['var/tmp', 0o1777],
  ['opt', 0o755],
  ['root', 0o700],
  ['home', 0o755],
  ['home/capstan', 0o755],
  ['tmp', 0o1777],
  ['run', 0o755],
  ['run/lock', 0o1777],
  ['dev', 0o755],
];

const LINKS: readonly (readonly [string, string])[] = [
  ['var/run', '../run'],
  ['var/lock', '../run/lock'],
];

/** Without the linker's cache and Debian's alternatives half of the machine's own tools would not start. */
const FROM_THE_MACHINE = [
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/localtime',
  '/etc/services',
  '/etc/protocols',
];

function takeFromMachine(source: string, target: string): void {
  if (!present(source)) return;
  rmSync(target, { force: true });
  if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source), target);
  else copyFileSync(source, target);
}

function etcFiles(name: string): Record<string, string> {
  const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
  return {
    passwd: [
      `root:x:0:0:root:/root:${shell}`,
      'daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin',
      'bin:x:2:2:bin:/bin:/usr/sbin/nologin',
      'sys:x:3:3:sys:/dev:/usr/sbin/nologin',
      'www-data:x:33:33:www-data:/var/www:/usr/sbin/nologin',
      'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin',
      `postgres:x:106:113:PostgreSQL administrator:/var/lib/postgresql:${shell}`,
      `capstan:x:1000:1000:login without special rights:/home/capstan:${shell}`,
      '',
    ].join('\n'),
    group: [
      'root:x:0:',
      'daemon:x:1:',
      'bin:x:2:',
      'sys:x:3:',
      'adm:x:4:',
      'sudo:x:27:capstan',
      'www-data:x:33:',
      'ssl-cert:x:112:postgres',
      'postgres:x:113:',
      'capstan:x:1000:',
      'nogroup:x:65534:',
      '',
    ].join('\n'),
    shadow: 'root:*:19700:0:99999:7:::\npostgres:!:19700::::::\ncapstan:*:19700:0:99999:7:::\n',
    hostname: `${name}\n`,
    hosts: `127.0.0.1 localhost\n127.0.1.1 ${name}\n::1 localhost ip6-localhost ip6-loopback\n`,
    // Empty on purpose: a look-up then fails at once instead of hanging.
    'resolv.conf': '',
    'nsswitch.conf':
      'passwd: files\ngroup: files\nshadow: files\nhosts: files dns\nservices: files\nprotocols: files\n',
    'machine-id': `${randomBytes(16).toString('hex')}\n`,
    debian_version: '12.11\n',
    'os-release': [
      'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"',
      'NAME="Debian GNU/Linux"',
      'VERSION_ID="12"',
      'VERSION="12 (bookworm)"',
      'VERSION_CODENAME=bookworm',
      'ID=debian',
      'HOME_URL="https://www.debian.org/"',
      '',
    ].join('\n'),
  };
}

/** Whether anything stands at `path`, a link that leads nowhere included. */
function present(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
