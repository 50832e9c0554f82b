import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptKeyPair } from '../keys.js';
import type { LabProvider } from '../lab-provider.js';
import { baseRoot } from './base-root.js';
import { bootHost, type DebianHost, describeHost, rebootHost } from './debian-host.js';
import { type DebianFault, FAULT_WAYS } from './faults.js';
import { startGateway } from './gateway.js';
import { inside, leaderOf } from './inside.js';
import { type HostPlace, type LabPlace, labPlace } from './lab-place.js';
import { installTools } from './lab-tools.js';
import type { MachineEnd } from './machine-command.js';
import { ownMirrors } from './mirrors.js';
import { chooseSubnet, makeBridge, type Subnet } from './network.js';
import { pidAlive } from './process-search.js';
import { remainsOf, takeDown } from './take-down.js';

/** Which lab; several can be up on one machine. */
export interface DebianLabName {
  /** Where packages, the base system and the labs' disks lie; outside of any repository. */
  readonly cache: string;
  /** A lower-case letter and at most five letters or digits; `lab` unless told. */
  readonly instance?: string;
}

export interface DebianLabOptions extends DebianLabName {
  readonly names: readonly string[];
  /** Size of each host's disk; 4096 unless told. Only what is written takes space. */
  readonly diskMiB?: number;
  /** How long a host may take to answer; 60,000 ms unless told. */
  readonly bootMs?: number;
  /** Told in one line what takes long. */
  readonly say?: (line: string) => void;
}

/** Debian hosts with systemd on this machine. They stay up when the process that started them ends. */
export interface DebianLab extends LabProvider<DebianHost> {
  readonly tier: 'debian';
  break(fault: DebianFault, host: string): Promise<void>;
  heal(fault: DebianFault, host: string): Promise<void>;
  /** Stops the host cleanly and boots it again from its disk, under the same address and keys. */
  reboot(host: string): Promise<void>;
  /** Runs a command on a host as root, past SSH. */
  inside(host: string, command: readonly string[], input?: string): Promise<MachineEnd>;
  /** Stops the lab and forgets its keys and subnet. */
  remove(): Promise<void>;
}

/** How a lab is found. */
export interface DebianLabStatus {
  readonly instance: string;
  /** `broken`: something of it is there, but not everything that it was started with. */
  readonly state: 'down' | 'starting' | 'up' | 'broken';
  readonly hosts: readonly (DebianHost & { readonly running: boolean })[];
  readonly remains: readonly string[];
}

interface State {
  readonly phase: 'starting' | 'up';
  readonly pid: number;
  readonly subnet: Subnet;
  readonly hosts: readonly DebianHost[];
}

const BOOT_MS = 60_000;
const HOST_NAME = /^[a-z]([a-z0-9-]{0,30}[a-z0-9])?$/;

/**
 * Boots the hosts, or takes up the lab when exactly they are up already; what a dead start left is removed first.
 * Throws when another process is starting the same lab, or when other hosts are up in it.
 */
export async function startDebianLab(options: DebianLabOptions): Promise<DebianLab> {
  const place = labPlace(options.cache, options.instance ?? 'lab');
  const wrong = options.names.find((name) => !HOST_NAME.test(name));
  if (wrong !== undefined) throw new Error(`"${wrong}" is no host name`);
  if (options.names.length === 0 || options.names.length > 200) throw new Error('a lab has 1 to 200 hosts');
  if (new Set(options.names).size < options.names.length) throw new Error('two hosts have the same name');
  const start = async (): Promise<readonly DebianHost[]> => {
    const status = statusOf(place);
    if (status.state === 'starting')
      throw new Error(`the lab "${place.instance}" is being started by another process`);
    if (status.state === 'up') {
      const names = status.hosts.map((host) => host.name).join(',');
      if (names === options.names.join(',')) return status.hosts;
      throw new Error(`the lab "${place.instance}" is up with other hosts (${names}): take it down first`);
    }
    await takeDown(place);
    return bootAll(options, place);
  };
  return labOf(place, await start(), start);
}

/** Installs the tools and builds the base system where they are missing: what takes minutes the first time. */
export async function prepareDebianLab(options: Pick<DebianLabOptions, 'cache' | 'say'>): Promise<string> {
  const say = options.say ?? (() => undefined);
  await installTools(say);
  return baseRoot(options.cache, await ownMirrors(), say);
}

/** A lab that is up, as another process started it; nothing when it is not. */
export function findDebianLab(name: DebianLabName): DebianLab | undefined {
  const place = labPlace(name.cache, name.instance ?? 'lab');
  const { state, hosts } = statusOf(place);
  return state === 'up' ? labOf(place, hosts, async () => hosts) : undefined;
}

/** What is there of a lab. */
export function debianLabStatus(name: DebianLabName): DebianLabStatus {
  return statusOf(labPlace(name.cache, name.instance ?? 'lab'));
}

/** Removes everything of a lab, also what a start that was killed left behind, and nothing else. */
export async function removeDebianLab(name: DebianLabName, options = { keepKeys: true }): Promise<void> {
  const place = labPlace(name.cache, name.instance ?? 'lab');
  await takeDown(place);
  if (!options.keepKeys) rmSync(place.folder, { recursive: true, force: true });
}

async function bootAll(options: DebianLabOptions, place: LabPlace): Promise<readonly DebianHost[]> {
  const say = options.say ?? (() => undefined);
  mkdirSync(place.keys, { recursive: true, mode: 0o700 });
  keptKeyPair(join(place.keys, 'client'));
  const subnet = chooseSubnet(options.cache, place);
  writeFileSync(join(place.folder, 'subnet.json'), JSON.stringify(subnet));
  const { diskMiB = 4096, bootMs = BOOT_MS, names } = options;
  const described = { place, subnet, base: '', diskMiB, bootMs };
  const hosts = names.map((name, at) => describeHost(described, name, at + 1));
  const state: State = { phase: 'starting', pid: process.pid, subnet, hosts };
  keep(place, state);
  try {
    await installTools(say);
    const mirrors = await ownMirrors();
    const settings = { ...described, base: await baseRoot(options.cache, mirrors, say) };
    await makeBridge(place, subnet);
    await startGateway(place, subnet, { folder: join(options.cache, 'packages'), mirrors }, hosts);
    await Promise.all(hosts.map((host, at) => bootHost(settings, host, at + 1)));
  } catch (error) {
    await takeDown(place);
    throw error;
  }
  keep(place, { ...state, phase: 'up' });
  return hosts;
}

function labOf(
  place: LabPlace,
  hosts: readonly DebianHost[],
  start: () => Promise<readonly DebianHost[]>,
): DebianLab {
  const known = (name: string): { readonly host: DebianHost; readonly index: number } => {
    const at = hosts.findIndex((host) => host.name === name);
    const host = hosts[at];
    if (!host) throw new Error(`the lab has no host "${name}": ${hosts.map((one) => one.name).join(', ')}`);
    return { host, index: at + 1 };
  };
  const found = (name: string): HostPlace => place.host(name, known(name).index);
  const subnet = (): Subnet => stateOf(place)?.subnet ?? { third: 0 };
  const stop = (): Promise<void> => takeDown(place);
  return {
    tier: 'debian',
    provenance: 'real',
    hosts,
    clientKeyFile: join(place.keys, 'client'),
    start: async () => {
      await start();
    },
    stop,
    remove: async () => {
      await stop();
      rmSync(place.folder, { recursive: true, force: true });
    },
    break: async (fault, host) => FAULT_WAYS[fault].break(found(host), subnet()),
    heal: async (fault, host) => FAULT_WAYS[fault].heal(found(host), subnet()),
    reboot: async (name) => {
      const { host, index } = known(name);
      await rebootHost(place, host, index, BOOT_MS);
    },
    inside: async (host, command, input = '') => inside(found(host).machine, command, { input }),
  };
}

function statusOf(place: LabPlace): DebianLabStatus {
  const state = stateOf(place);
  const remains = remainsOf(place);
  const hosts = (state?.hosts ?? []).map((host, at) => ({
    ...host,
    running: leaderOf(place.host(host.name, at + 1).machine) !== undefined,
  }));
  const { instance } = place;
  if (!state) return { instance, state: remains.length > 0 ? 'broken' : 'down', hosts, remains };
  if (state.phase === 'starting' && state.pid !== process.pid && pidAlive(state.pid)) {
    return { instance, state: 'starting', hosts, remains };
  }
  const whole = state.phase === 'up' && hosts.every((host) => host.running);
  return { instance, state: whole ? 'up' : 'broken', hosts, remains };
}

function stateOf(place: LabPlace): State | undefined {
  if (!existsSync(place.stateFile)) return undefined;
  return JSON.parse(readFileSync(place.stateFile, 'utf8')) as State;
}

function keep(place: LabPlace, state: State): void {
  const temporary = `${place.stateFile}.${process.pid}.new`;
  writeFileSync(temporary, JSON.stringify(state, null, 2), { mode: 0o600 });
  renameSync(temporary, place.stateFile);
}
