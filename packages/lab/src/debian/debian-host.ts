import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fingerprintOf, keptKeyPair } from '../keys.js';
import type { LabHost } from '../lab-provider.js';
import { LOGIN_USER } from './base-root.js';
import { proxyLine } from './gateway.js';
import { leaderOf, supervisorOf } from './inside.js';
import type { HostPlace, LabPlace } from './lab-place.js';
import { machineEnvironment, run } from './machine-command.js';
import { addressOf, attachHost, gatewayOf, type Subnet } from './network.js';
import { endProcesses, POWER_OFF_MS } from './process-search.js';

/** A Debian host with systemd, its own address, its own disk and its own package manager. */
export interface DebianHost extends LabHost {
  /** Private key (OpenSSH, 0600) that the login user is known by. */
  readonly keyFile: string;
}

/** What all hosts of a lab have in common. */
export interface HostSettings {
  readonly place: LabPlace;
  readonly subnet: Subnet;
  readonly base: string;
  readonly diskMiB: number;
  readonly bootMs: number;
}

/** How a host is known before it runs; its keys are kept, so that it comes back as the host that it was. */
export function describeHost({ place, subnet }: HostSettings, name: string, index: number): DebianHost {
  return {
    name,
    address: addressOf(subnet, index),
    port: 22,
    user: LOGIN_USER,
    keyFile: join(place.keys, 'client'),
    hostKeyFingerprint: fingerprintOf(keptKeyPair(join(place.keys, `host-${name}`)).publicKey),
    provenance: 'real',
    isolated: true,
  };
}

/** Makes the host's disk and files, boots it and waits until its SSH server speaks. */
export async function bootHost(settings: HostSettings, host: DebianHost, index: number): Promise<void> {
  const { place, subnet } = settings;
  const own = place.host(host.name, index);
  await makeDisk(settings, own);
  writeFiles(settings, own, host);
  await attachHost(place, own, subnet, index);
  spawnHost(own, host.name);
  await answering(own, host, settings.bootMs);
}

/** Stops the host cleanly and boots it again from its disk; resolves when its SSH server speaks. */
export async function rebootHost(
  place: LabPlace,
  host: DebianHost,
  index: number,
  bootMs: number,
): Promise<void> {
  const own = place.host(host.name, index);
  const supervisor = supervisorOf(own.machine);
  // Not from inside: nspawn, told to take a network namespace that exists, ends instead of booting again.
  if (supervisor) await endProcesses([supervisor], POWER_OFF_MS);
  spawnHost(own, host.name);
  await answering(own, host, bootMs);
}

/** An image of a fixed size: a host can fill its own disk and never the machine's. */
async function makeDisk({ diskMiB, base }: HostSettings, own: HostPlace): Promise<void> {
  mkdirSync(own.disk, { recursive: true });
  mkdirSync(own.root, { recursive: true });
  await run('truncate', ['-s', `${diskMiB}M`, own.image]);
  await run('mkfs.ext4', ['-q', '-m', '0', own.image]);
  await run('mount', ['-o', 'loop', own.image, own.disk]);
  for (const part of ['up', 'work']) mkdirSync(join(own.disk, part));
  const layers = `lowerdir=${base},upperdir=${join(own.disk, 'up')},workdir=${join(own.disk, 'work')}`;
  await run('mount', ['-t', 'overlay', own.machine, '-o', layers, own.root]);
}

function writeFiles({ place, subnet }: HostSettings, own: HostPlace, host: DebianHost): void {
  const put = (file: string, text: string, mode = 0o644): void =>
    writeFileSync(join(own.root, file), text, { mode });
  const hostKey = keptKeyPair(join(place.keys, `host-${host.name}`));
  put('etc/hostname', `${host.name}\n`);
  put('etc/hosts', `127.0.0.1 localhost\n::1 localhost\n${host.address} ${host.name}\n`);
  put('etc/resolv.conf', `nameserver ${gatewayOf(subnet)}\noptions timeout:1 attempts:2\n`);
  put('etc/apt/apt.conf.d/90lab-proxy', proxyLine(subnet));
  // dpkg flushes every file that it unpacks; a lab host's disk is gone with the machine that holds it anyway.
  put('etc/dpkg/dpkg.cfg.d/lab', 'force-unsafe-io\n');
  put('etc/ssh/ssh_host_ed25519_key', hostKey.privateKey, 0o600);
  put('etc/ssh/ssh_host_ed25519_key.pub', `${hostKey.publicKey}\n`);
  mkdirSync(join(own.root, 'etc/ssh/authorized_keys.d'));
  put('etc/ssh/sshd_config.d/lab-keys.conf', 'AuthorizedKeysFile /etc/ssh/authorized_keys.d/%u\n');
  put(`etc/ssh/authorized_keys.d/${host.user}`, `${keptKeyPair(host.keyFile).publicKey}\n`);
}

/** The host outlives the process that boots it: a lab is up until it is taken down. */
function spawnHost(own: HostPlace, name: string): void {
  const log = openSync(own.log, 'a', 0o600);
  const child = spawn(
    'systemd-nspawn',
    [
      ...['--quiet', '--boot', `--directory=${own.root}`, `--machine=${own.machine}`, `--hostname=${name}`],
      ...['--register=no', '--keep-unit', `--network-namespace-path=/run/netns/${own.machine}`],
      // Without all capabilities systemd inside drops half of what a server does; the rest is what differs on purpose.
      ...['--capability=all', '--console=pipe', '--resolv-conf=off', '--timezone=off', '--link-journal=no'],
    ],
    {
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...machineEnvironment(), SYSTEMD_NSPAWN_API_VFS_WRITABLE: '1', SYSTEMD_SECCOMP: '0' },
    },
  );
  child.on('error', () => undefined); // Told by `answering`: no host of that name runs.
  child.unref();
  closeSync(log);
}

async function answering(own: HostPlace, host: DebianHost, ms: number): Promise<void> {
  const end = Date.now() + ms;
  while (!(await speaksSsh(host))) {
    if (Date.now() > end) {
      const state =
        leaderOf(own.machine) === undefined ? 'it is not running' : 'its SSH server does not answer';
      throw new Error(`${host.name} did not come up in ${ms} ms: ${state}; see ${own.log}`);
    }
    await sleep(100);
  }
}

function speaksSsh({ address, port }: DebianHost): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: 1_000 });
    const done = (speaks: boolean) => {
      socket.destroy();
      resolve(speaks);
    };
    socket.once('data', (bytes) => done(bytes.toString('latin1').startsWith('SSH-')));
    for (const event of ['error', 'timeout', 'close']) socket.once(event, () => done(false));
  });
}
