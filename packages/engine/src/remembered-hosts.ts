import type { HostConnection } from './ports/host-port.js';
import type { Clock, Inventory } from './ports/stores.js';

/** How long a host's record is believed: a new address or an accepted key takes effect within this, in milliseconds. */
const BELIEVED_MS = 1_000;

/**
 * The same inventory with host records remembered for a moment: a chain of short jobs asks for its host once a second, and
 * a hundred jobs that start together ask once.
 */
export function rememberHosts(inventory: Inventory, clock: Clock): Inventory {
  const known = new Map<string, { readonly host: Promise<HostConnection | null>; readonly until: number }>();
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
      const asked = { host: inventory.host(name), until: clock.elapsed() + BELIEVED_MS };
      known.set(name, asked);
      try {
        const host = await asked.host;
        if (!host) forget(known, name, asked);
        return host;
      } catch (error) {
        forget(known, name, asked);
        throw error;
      }
    },
  };
}

/** Somebody may have asked anew meanwhile: that answer stays. */
function forget<T>(known: Map<string, T>, name: string, asked: T): void {
  if (known.get(name) === asked) known.delete(name);
}
