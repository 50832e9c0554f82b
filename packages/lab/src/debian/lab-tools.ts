import { existsSync } from 'node:fs';
import { ask, run } from './machine-command.js';

/** Tool → Debian package. None of these packages starts a service. */
const TOOLS: Readonly<Record<string, string>> = {
  '/usr/sbin/debootstrap': 'debootstrap',
  '/usr/bin/systemd-nspawn': 'systemd-container',
  '/usr/sbin/dnsmasq': 'dnsmasq-base',
  '/usr/sbin/ip': 'iproute2',
  '/usr/sbin/mkfs.ext4': 'e2fsprogs',
};

const APT = ['-q', '-y', '-o', 'DPkg::Lock::Timeout=400'];

/** Installs those tools of the lab that this machine has not; the lists are fetched only when they are needed. */
export async function installTools(say: (line: string) => void): Promise<void> {
  const missing = Object.entries(TOOLS)
    .filter(([file]) => !existsSync(file) && !existsSync(file.replace('/usr/', '/')))
    .map(([, name]) => name);
  if (missing.length === 0) return;
  say(`installing ${missing.join(', ')}`);
  const install = ['install', '--no-install-recommends', ...missing];
  const first = await ask('apt-get', [...APT, ...install]);
  if (first.code === 0) return;
  await run('apt-get', [...APT, 'update']);
  await run('apt-get', [...APT, ...install]);
}
