/** What Debian's package scripts do after unpacking a PostgreSQL server: account, folders, a first cluster, start. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { clusters, readConfiguration } from './cluster.mjs';
import { giveToServer } from './server-process.mjs';
import { startUnit, writeUnitState } from './service-units.mjs';
import { account, hostPath, isThere } from './world.mjs';

/** The user postgres and the folders that belong to it. */
export function prepareAccount() {
  if (account('postgres') === undefined) {
    appendFileSync(
      hostPath('/etc/passwd'),
      'postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash\n',
    );
    appendFileSync(hostPath('/etc/group'), 'postgres:x:104:\n');
  }
  for (const [path, mode] of [
    ['/etc/postgresql', 0o755],
    ['/var/lib/postgresql', 0o755],
    ['/var/log/postgresql', 0o1775],
  ]) {
    if (isThere(hostPath(path))) continue;
    mkdirSync(hostPath(path), { recursive: true });
    chmodSync(hostPath(path), mode);
    giveToServer(hostPath(path));
  }
}

/** Makes the cluster `main` unless there is one of this version or the administrator said not to, and starts all. */
export async function configurePostgres(version) {
  const defaults = readConfiguration(hostPath('/etc/postgresql-common/createcluster.conf'));
  const wanted = !['false', 'off', 'no', '0'].includes(defaults.create_main_cluster ?? 'true');
  if (wanted && !clusters().some((cluster) => cluster.version === version)) {
    const tool = fileURLToPath(new URL('./pg-createcluster.mjs', import.meta.url));
    const made = spawnSync(process.execPath, [tool, '-u', 'postgres', '--no-status', version, 'main'], {
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (made.status !== 0) {
      process.stderr.write(
        `Error: could not create default cluster. Please create it manually with\n\n  pg_createcluster ${version} main --start\n\nor a similar command (see 'man pg_createcluster').\n`,
      );
    }
  }
  process.stdout.write(
    'Created symlink /etc/systemd/system/multi-user.target.wants/postgresql.service → /lib/systemd/system/postgresql.service.\n',
  );
  writeUnitState('postgresql', { enabled: true });
  await startUnit('postgresql');
}
