import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { LabHost } from '../lab-provider.js';
import type { LabPlace } from './lab-place.js';
import { machineEnvironment } from './machine-command.js';
import type { Mirror } from './mirrors.js';
import { gatewayOf, type Subnet } from './network.js';
import { type FoundProcess, findProcesses } from './process-search.js';

const PROXY_PORT = 3142;
const PROXY = fileURLToPath(new URL('../../src/debian/apt-proxy.mjs', import.meta.url));
const START_MS = 10_000;

/** apt's configuration on a host: packages come through the lab's proxy, since the bridge leads nowhere. */
export function proxyLine(subnet: Subnet): string {
  return `Acquire::http::Proxy "http://${gatewayOf(subnet)}:${PROXY_PORT}";\n`;
}

/** Starts the two services of a lab, on the bridge's address only: packages, and names of its hosts. */
export async function startGateway(
  place: LabPlace,
  subnet: Subnet,
  packages: { readonly folder: string; readonly mirrors: readonly Mirror[] },
  hosts: readonly LabHost[],
): Promise<void> {
  const names = join(place.folder, 'names');
  writeFileSync(names, hosts.map((host) => `${host.address} ${host.name}\n`).join(''));
  mkdirSync(packages.folder, { recursive: true });
  const address = gatewayOf(subnet);
  detach(place, 'dnsmasq', [
    ...['--keep-in-foreground', '--conf-file=/dev/null', `--pid-file=${join(place.folder, 'dnsmasq.pid')}`],
    ...['--user=root', '--bind-interfaces', `--listen-address=${address}`, '--except-interface=lo'],
    // It knows the hosts of the lab; every other name does not exist, which is told at once.
    ...['--no-resolv', '--no-hosts', `--addn-hosts=${names}`, '--address=/#/'],
  ]);
  detach(place, process.execPath, [
    ...[PROXY, '--lab', place.folder, '--listen', address, '--port', String(PROXY_PORT)],
    ...['--cache', packages.folder, ...new Set(packages.mirrors.map((mirror) => mirror.uri))],
  ]);
  for (const port of [53, PROXY_PORT]) await listening(address, port, place);
}

/** The services of the lab that run, also those of an `up` that died. */
export function gatewayProcesses(place: LabPlace): readonly FoundProcess[] {
  const pidFile = `--pid-file=${join(place.folder, 'dnsmasq.pid')}`;
  return findProcesses(
    (command) => command.includes(pidFile) || (command.includes(PROXY) && command.includes(place.folder)),
  );
}

function detach(place: LabPlace, command: string, args: readonly string[]): void {
  const log = openSync(join(place.folder, 'gateway.log'), 'a', 0o600);
  const child = spawn(command, args, {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    env: machineEnvironment(),
  });
  child.on('error', () => undefined); // Told by `listening`: nothing answers there.
  child.unref();
  closeSync(log);
}

async function listening(address: string, port: number, place: LabPlace): Promise<void> {
  const end = Date.now() + START_MS;
  while (!(await accepts(address, port))) {
    if (Date.now() > end) {
      throw new Error(`nothing answers on ${address}:${port}; see ${join(place.folder, 'gateway.log')}`);
    }
    await sleep(50);
  }
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 500 });
    const done = (yes: boolean) => {
      socket.destroy();
      resolve(yes);
    };
    socket.once('connect', () => done(true));
    for (const event of ['error', 'timeout']) socket.once(event, () => done(false));
  });
}
