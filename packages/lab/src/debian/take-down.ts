import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayProcesses } from './gateway.js';
import { isNspawn } from './inside.js';
import type { LabPlace } from './lab-place.js';
import { linksOf, namespacesOf, removeNetwork } from './network.js';
import { endProcesses, type FoundProcess, findProcesses, POWER_OFF_MS } from './process-search.js';
import { mountsBelow, unmountBelow } from './unmount.js';

/**
 * Removes whatever carries the lab's name, whether or not the process that made it told anybody: hosts, services,
 * mounts, namespaces, links and disks. What stays is who the lab was: its subnet and keys.
 */
export async function takeDown(place: LabPlace): Promise<void> {
  await endProcesses(hostProcesses(place), POWER_OFF_MS);
  await endProcesses(gatewayProcesses(place));
  await unmountBelow(place.folder);
  await removeNetwork(place);
  for (const name of ['hosts', 'state.json', 'names', 'dnsmasq.pid']) {
    rmSync(join(place.folder, name), { recursive: true, force: true });
  }
}

/** What of a lab is still there, in words; nothing after `takeDown`. */
export function remainsOf(place: LabPlace): readonly string[] {
  const hosts = join(place.folder, 'hosts');
  return [
    ...[...hostProcesses(place), ...gatewayProcesses(place)].map((one) => `process ${one.pid}`),
    ...mountsBelow(place.folder).map((path) => `mount ${path}`),
    ...namespacesOf(place).map((name) => `network namespace ${name}`),
    ...linksOf(place).map((name) => `link ${name}`),
    ...(existsSync(hosts) ? readdirSync(hosts).map((name) => `files of ${name}`) : []),
  ];
}

function hostProcesses(place: LabPlace): readonly FoundProcess[] {
  const named = '--machine=';
  return findProcesses(
    ([name, ...args]) =>
      isNspawn(name) && args.some((arg) => arg.startsWith(named) && place.owns(arg.slice(named.length))),
  );
}
