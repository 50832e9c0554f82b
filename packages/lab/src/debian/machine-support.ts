import { existsSync, readFileSync } from 'node:fs';
import { ask } from './machine-command.js';

/** Why this machine cannot run Debian hosts, or nothing when it can. */
export async function whyNoDebianHosts(): Promise<string | undefined> {
  if (process.platform !== 'linux') return `this is ${process.platform}, not Linux`;
  if (process.getuid?.() !== 0) return 'not root';
  if (!isDebian()) return 'not a Debian system (debootstrap and apt are needed)';
  if (!readFileSync('/proc/filesystems', 'utf8').includes('\toverlay\n'))
    return 'the kernel has no overlay file system';
  if (!existsSync('/dev/loop-control')) return 'there are no loop devices (/dev/loop-control)';
  const tried = await ask('unshare', [
    '--net',
    '--mount',
    '--pid',
    '--fork',
    'mount',
    '-t',
    'tmpfs',
    'none',
    '/mnt',
  ]);
  if (tried.code !== 0) return `no namespaces or mounts may be made: ${tried.stderr.trim()}`;
  return undefined;
}

function isDebian(): boolean {
  if (!existsSync('/etc/os-release') || !existsSync('/usr/bin/apt-get')) return false;
  return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}
