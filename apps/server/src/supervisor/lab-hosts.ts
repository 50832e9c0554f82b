import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostConnection } from '@capstan/engine';
import { type Sandbox, startSandbox } from '@capstan/lab';
import type { Database } from '@capstan/postgres';
import { type Config, REPOSITORY } from '../config.js';
import type { Logger } from '../log.js';

const ENVIRONMENT = 'lab';
const NAMES = ['lab-1', 'lab-2', 'lab-3'];

/** Starts the sandbox hosts; they live in the supervisor, so that no death of a worker ends them. */
export async function startLab(config: Config, nativeDir: string, log: Logger): Promise<Sandbox> {
  const sandbox = await startSandbox({
    dataDir: join(config.data, 'lab'),
    names: NAMES,
    standIns: join(REPOSITORY, 'packages/lab/stand-ins'),
    native: nativeDir,
    hide: [config.data],
  });
  if (sandbox.isolationReason !== undefined) {
    log.warn(
      `the sandbox hosts are not isolated (${sandbox.isolationReason}): only jobs with sandbox: any run there`,
    );
  }
  for (const host of sandbox.hosts) {
    if (host.bootProblem !== undefined) log.warn(`${host.name} did not come up whole: ${host.bootProblem}`);
  }
  return sandbox;
}

/** Puts the sandbox hosts into the inventory. Ports change at each start; what enrolment learnt stays. */
export async function registerLab(
  { inventory, secrets, ids }: Database,
  sandbox: Sandbox,
  log: Logger,
): Promise<void> {
  const key = readFileSync(sandbox.clientKeyFile);
  await inventory.addEnvironment({ name: ENVIRONMENT, kind: 'lab' });
  for (const host of sandbox.hosts) {
    const known = await inventory.host(host.name);
    if (known && known.tier !== 'sandbox') {
      log.warn(`${host.name} is a host of your own: the sandbox host of that name stays out`);
      continue;
    }
    const credential = await keptCredential(secrets, known, host.name, key);
    const { address, port, user, hostKeyFingerprint, isolated, provenance, name } = host;
    const reached = { address, port, hostKeyFingerprint, isolated, credential };
    if (known) {
      await inventory.updateHost(name, reached);
      continue;
    }
    const record: HostConnection = {
      id: ids.next('host'),
      name,
      key: `node/${name}`,
      environment: ENVIRONMENT,
      user,
      runRoot: null,
      secretRoot: null,
      provenance,
      tier: 'sandbox',
      ...reached,
    };
    await inventory.addHost(record, 'lab');
  }
}

/** A start must not make a new version of a secret that did not change. */
async function keptCredential(
  secrets: Database['secrets'],
  known: HostConnection | null,
  name: string,
  key: Uint8Array,
): Promise<string> {
  const stored = known ? await secrets.get(known.credential) : null;
  if (known && stored && Buffer.from(stored).equals(key)) return known.credential;
  return secrets.put(ENVIRONMENT, `host/${name}/key`, key);
}
