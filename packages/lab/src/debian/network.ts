import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { HostPlace, LabPlace } from './lab-place.js';
import { ask, run } from './machine-command.js';

/** `10.77.<third>.0/24`: the gateway is .1, hosts begin at .11. */
export interface Subnet {
  readonly third: number;
}

export const gatewayOf = ({ third }: Subnet): string => `10.77.${third}.1`;
export const addressOf = ({ third }: Subnet, index: number): string => `10.77.${third}.${10 + index}`;

/** The lab's own subnet: the one it had before, else one that neither a lab nor an interface uses. */
export function chooseSubnet(cache: string, place: LabPlace): Subnet {
  const kept = subnetOf(place.folder);
  const taken = new Set<number>();
  for (const folder of labFolders(cache)) {
    if (folder !== place.folder) taken.add(subnetOf(folder)?.third ?? -1);
  }
  for (const { address } of Object.values(networkInterfaces()).flatMap((all) => all ?? [])) {
    const match = /^10\.77\.(\d+)\./.exec(address);
    if (match) taken.add(Number(match[1]));
  }
  if (kept && !taken.has(kept.third)) return kept;
  for (let third = place.instance === 'lab' ? 0 : 1 + hash(place.instance); third < 255; third += 1) {
    if (!taken.has(third)) return { third };
  }
  throw new Error('no subnet of 10.77.0.0/16 is free for another lab');
}

/** The bridge that the lab's hosts and services meet on. It leads nowhere else. */
export async function makeBridge(place: LabPlace, subnet: Subnet): Promise<void> {
  await run('ip', ['link', 'add', place.bridge, 'type', 'bridge']);
  await run('ip', ['addr', 'add', `${gatewayOf(subnet)}/24`, 'dev', place.bridge]);
  await run('ip', ['link', 'set', place.bridge, 'up']);
}

/** A network namespace of its own for a host, with one link to the bridge. */
export async function attachHost(
  place: LabPlace,
  host: HostPlace,
  subnet: Subnet,
  index: number,
): Promise<void> {
  const inside = (...args: string[]) => run('ip', ['-n', host.machine, ...args]);
  await run('ip', ['netns', 'add', host.machine]);
  await run('ip', ['link', 'add', host.link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', host.machine]);
  await run('ip', ['link', 'set', host.link, 'master', place.bridge, 'up']);
  await inside('link', 'set', 'lo', 'up');
  await inside('addr', 'add', `${addressOf(subnet, index)}/24`, 'dev', 'eth0');
  await inside('link', 'set', 'eth0', 'up');
  await inside('route', 'add', 'default', 'via', gatewayOf(subnet));
}

/** Removes every namespace and link that carries the lab's name. */
export async function removeNetwork(place: LabPlace): Promise<void> {
  for (const name of namespacesOf(place)) await run('ip', ['netns', 'del', name]);
  for (const name of linksOf(place)) {
    // A link ends with its peer's namespace, a moment later.
    const end = await ask('ip', ['link', 'del', name]);
    if (end.code !== 0 && linksOf(place).includes(name))
      throw new Error(`ip link del ${name}: ${end.stderr}`);
  }
}

/** Network namespaces of the lab. */
export function namespacesOf(place: LabPlace): readonly string[] {
  return existsSync('/run/netns') ? readdirSync('/run/netns').filter((name) => place.owns(name)) : [];
}

/** Links of the lab in the machine's own namespace. */
export function linksOf(place: LabPlace): readonly string[] {
  return readdirSync('/sys/class/net').filter((name) => name === place.bridge || place.owns(name));
}

function labFolders(cache: string): readonly string[] {
  const labs = join(cache, 'labs');
  return existsSync(labs) ? readdirSync(labs).map((name) => join(labs, name)) : [];
}

function subnetOf(folder: string): Subnet | undefined {
  const file = join(folder, 'subnet.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Subnet) : undefined;
}

function hash(text: string): number {
  return [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 200, 7);
}
