import type { EngineDependencies } from './dependencies.js';
import type { HostConnection } from './ports/host-port.js';

/** The host as its record is now: an accepted key or a new address must reach what waits for exactly that (C39). */
export async function currentHost(
  deps: Pick<EngineDependencies, 'inventory'>,
  host: HostConnection,
): Promise<HostConnection> {
  return (await deps.inventory.host(host.name)) ?? host;
}
