import type { HostConnection } from './ports/host-port.js';
import type { Clock, Inventory } from './ports/stores.js';

/** How long a host's record is believed: a new address or an accepted key takes effect within this, in milliseconds. */
const BELIEVED_MS = 1_000;

/** The same inventory with host records remembered for a moment: a chain of short jobs asks for its host once a second. */
export function rememberHosts(inventory: Inventory, clock: Clock): Inventory {
  const known = new Map<string, { readonly host: HostConnection; readonly until: number }>();
  return {
    environments: () => inventory.environments(),
    addEnvironment: (environment) => inventory.addEnvironment(environment),
    hosts: () => inventory.hosts(),
    addHost: (host, kind) => inventory.addHost(host, kind),
    resources: () => inventory.resources(),
    facts: (keys) => inventory.facts(keys),
    artifacts: (filter) => inventory.artifacts(filter),
    updateHost(name, change) {
      known.clear();
      return inventory.updateHost(name, change);
    },
    async host(name) {
      const hit = known.get(name);
      if (hit && hit.until > clock.elapsed()) return hit.host;
      const host = await inventory.host(name);
      if (host) known.set(name, { host, until: clock.elapsed() + BELIEVED_MS });
      else known.delete(name);
      return host;
    },
  };
}
