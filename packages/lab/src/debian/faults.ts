import { mkdirSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { proxyLine } from './gateway.js';
import { inside } from './inside.js';
import type { HostPlace } from './lab-place.js';
import { run } from './machine-command.js';
import { gatewayOf, type Subnet } from './network.js';

/** What can be broken on a host, and healed again. */
export const DEBIAN_FAULTS = ['dns', 'link', 'apt', 'dpkg-lock', 'disk', 'sshd', 'clock'] as const;
export type DebianFault = (typeof DEBIAN_FAULTS)[number];

interface FaultWays {
  readonly break: (host: HostPlace, subnet: Subnet) => Promise<void>;
  readonly heal: (host: HostPlace, subnet: Subnet) => Promise<void>;
}

const RESOLVER = '/etc/resolv.conf';
const PROXY_FILE = '/etc/apt/apt.conf.d/90lab-proxy';
const LOCK_UNIT = 'lab-dpkg-lock.service';
const LOCKS = ['/var/lib/dpkg/lock-frontend', '/var/lib/dpkg/lock'];
const HELD = '/run/lab-dpkg-lock.held';
const DATE = '/usr/local/bin/date';

// apt and dpkg use record locks, which flock(1) neither sees nor makes. The packed form is struct flock of 64-bit Linux.
const HOLD_LOCKS = `
use Fcntl;
my $sign = shift @ARGV;
my @held;
for my $file (@ARGV) {
  open(my $handle, "+>>", $file) or die "$file: $!";
  my $lock = pack("s s x!8 q q l", F_WRLCK, 0, 0, 0, 0);
  fcntl($handle, F_SETLKW, $lock) or die "$file: $!";
  push @held, $handle;
}
open(my $said, ">", $sign) or die "$sign: $!";
close($said);
# The locks are held until healing ends this process.
while (1) { sleep 86400 }
`;

const TAKE_THE_REST = `
cat /dev/zero >>"$1/rest" 2>/dev/null
sync -f "$1"
i=0
while [ "$i" -lt 1000 ] && head -c 4096 /dev/zero 2>/dev/null >"$1/block-$$-$i" && sync -f "$1"; do i=$((i + 1)); done
true
`;

/** The clock is the kernel's, one for all hosts: what is skewed is the answer of date(1) on this host. */
const WRONG_DATE = `#!/bin/sh
for word; do case "$word" in -d*|--date*|-r*|--reference*|-s*|--set*) exec /usr/bin/date "$@" ;; esac; done
exec /usr/bin/date -d '20 years ago' "$@"
`;

/** How each fault is made and undone; both may be done twice. */
export const FAULT_WAYS: Readonly<Record<DebianFault, FaultWays>> = {
  dns: {
    // .254 is nobody: queries time out, as when the resolver's machine is down.
    break: (host, subnet) => put(host, RESOLVER, resolver(gatewayOf(subnet).replace(/\.1$/, '.254'))),
    heal: (host, subnet) => put(host, RESOLVER, resolver(gatewayOf(subnet))),
  },
  link: {
    break: (host) => setLink(host, 'down'),
    heal: (host) => setLink(host, 'up'),
  },
  apt: {
    break: (host, subnet) => put(host, PROXY_FILE, proxyLine(subnet).replace(/:\d+"/, ':9"')),
    heal: (host, subnet) => put(host, PROXY_FILE, proxyLine(subnet)),
  },
  'dpkg-lock': {
    break: holdLocks,
    heal: (host) => sh(host, `systemctl stop ${LOCK_UNIT} 2>/dev/null || test $? = 5`),
  },
  disk: {
    break: fillDisk,
    heal: async (host) => rmSync(filler(host), { recursive: true, force: true }),
  },
  sshd: {
    // The sessions go too: what remains of a server that was killed is nothing.
    break: (host) => sh(host, 'systemctl stop ssh && { pkill -KILL -x sshd || test $? = 1; }'),
    heal: (host) => sh(host, 'systemctl start ssh'),
  },
  clock: {
    break: (host) => sh(host, `cat >${DATE} && chmod 755 ${DATE}`, WRONG_DATE),
    heal: (host) => sh(host, `rm -f ${DATE}`),
  },
};

async function holdLocks(host: HostPlace): Promise<void> {
  await sh(
    host,
    `systemctl stop ${LOCK_UNIT} 2>/dev/null || test $? = 5; rm -f ${HELD}; cat >/run/lab-dpkg-lock.pl`,
    HOLD_LOCKS,
  );
  await sh(
    host,
    `systemd-run --quiet --collect --unit=${LOCK_UNIT} perl /run/lab-dpkg-lock.pl ${HELD} ${LOCKS.join(' ')}`,
  );
  const taken = `for i in $(seq 100); do test -e ${HELD} && exit 0; sleep 0.1; done; echo 'not taken within 10 s'; exit 1`;
  await sh(host, taken);
}

/** Fills the image from outside: the host sees no file that it could remove, and no block is really written. */
async function fillDisk(host: HostPlace): Promise<void> {
  const folder = filler(host);
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = await statfs(host.disk);
  const most = bavail * bsize - 1024 * 1024;
  if (most > 0) await run('fallocate', ['-l', String(most), join(folder, `${Date.now()}`)]);
  // Large writes are refused while small ones still find a block that was set aside: it takes both to leave none.
  await run('sh', ['-c', TAKE_THE_REST, 'sh', folder]);
}

const filler = (host: HostPlace): string => join(host.disk, 'filler');

const resolver = (address: string): string => `nameserver ${address}\noptions timeout:1 attempts:2\n`;

async function setLink(host: HostPlace, state: 'up' | 'down'): Promise<void> {
  await run('ip', ['link', 'set', host.link, state]);
}

const put = (host: HostPlace, file: string, text: string): Promise<void> => sh(host, `cat >${file}`, text);

async function sh(host: HostPlace, script: string, input = ''): Promise<void> {
  const end = await inside(host.machine, ['sh', '-c', script], { input });
  if (end.code !== 0) throw new Error(`${host.machine}: ${script}: ${end.stderr || end.stdout}`);
}
