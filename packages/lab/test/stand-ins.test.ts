import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually, usernsSuite } from './lab-client.js';
import { installPostgres, openPackHost, type PackHost, packFile, standIns } from './pack-host.js';

const psql = fileURLToPath(new URL('fixtures/psql/', import.meta.url));
const programs = readdirSync(standIns).filter((name) => name !== 'lib' && name !== 'README.md');

test('every stand-in is an executable of a shell that any machine has', () => {
  assert.deepEqual(programs.toSorted(), [
    'apt-get',
    'capstan-boot',
    'capstan-halt',
    'dpkg',
    'dpkg-query',
    'getent',
    'pg_createcluster',
    'pg_ctlcluster',
    'pg_isready',
    'pg_lsclusters',
    'psql',
    'sudo',
    'systemctl',
  ]);
  for (const name of programs) {
    const file = join(standIns, name);
    assert.equal(statSync(file).mode & 0o111, 0o111, name);
    assert.match(readFileSync(file, 'utf8'), /^#!\/bin\/sh\n/, name);
    execFileSync('/bin/sh', ['-n', file]);
  }
});

test('outside a sandbox host a stand-in that could change something refuses to run', () => {
  const changing = programs.filter((name) => !['dpkg', 'getent'].includes(name));
  for (const name of changing) {
    const end = spawnSync(join(standIns, name), ['-n', 'install', '-y', 'x'], {
      env: { PATH: process.env.PATH },
    });
    assert.notEqual(end.status, 0, name);
    assert.match(String(end.stderr), /sandbox host|CAPSTAN_LAB_STATE/, name);
  }
});

if (await usernsSuite()) {
  describe('stand-ins on a host with PostgreSQL', () => {
    let on: PackHost;
    before(async () => {
      on = await openPackHost();
      on.put('/tmp/in/database_password', 'geheim');
      await installPostgres(on);
      on.put('/root/.pgpass', '*:*:*:*:geheim\n');
    });
    after(() => on.close());

    test('psql prints what psql 15 printed for the same script, byte for byte', async () => {
      const port = (await on.shell("pg_lsclusters -h | awk '{ print $3 }'")).stdout.trim();
      const script = readFileSync(join(psql, 'script.sql'), 'utf8');
      const end = await on.shell(`psql -X -h 127.0.0.1 -p ${port} -U main -d main -f -`, script);
      assert.equal(end.stdout, readFileSync(join(psql, 'expected.out'), 'utf8'));
      assert.equal(end.stderr, readFileSync(join(psql, 'expected.err'), 'utf8'));
      assert.equal(end.code, 0);
    });

    test('psql ends with 1 for a failed -c, 2 without a connection, 3 for a script that stops', async () => {
      const as = 'runuser -u postgres -- psql -XAtq -w';
      assert.equal((await on.shell(`${as} -c 'SELECT nope'`)).code, 1);
      assert.equal((await on.shell(`${as} -v ON_ERROR_STOP=1 -f -`, 'SELECT nope;\nSELECT 1;\n')).code, 3);
      const refused = await on.shell(`${as} -h 127.0.0.1 -p 1 -c 'SELECT 1'`);
      assert.equal(refused.code, 2);
      assert.match(
        refused.stderr,
        /^psql: error: connection to server at "127\.0\.0\.1", port 1 failed: Connection refused\n\tIs the server running on that host and accepting TCP\/IP connections\?\n$/,
      );
      const wrong = await on.shell(`PGPASSWORD=wrong psql -X -h 127.0.0.1 -U main -d main -c 'SELECT 1'`);
      assert.equal(wrong.code, 2);
      assert.match(wrong.stderr, /FATAL: {2}password authentication failed for user "main"\n$/);
      assert.match(
        (await on.shell('psql -X -U postgres -c "SELECT 1"')).stderr,
        /FATAL: {2}Peer authentication failed for user "postgres"/,
      );
    });

    test('pg_isready and pg_lsclusters say what Debian says, up and down', async () => {
      const [, port] =
        /^18 main (\d+) online postgres \/var\/lib\/postgresql\/18\/main \/var\/log\/postgresql\/postgresql-18-main\.log\n$/.exec(
          (await on.shell('pg_lsclusters -h')).stdout,
        ) ?? [];
      assert.ok(port, 'the line of an online cluster');
      assert.equal(
        (await on.shell('pg_isready')).stdout,
        `/var/run/postgresql:${port} - accepting connections\n`,
      );
      assert.match(
        (await on.shell('pg_lsclusters')).stdout,
        /^Ver Cluster Port {2}Status Owner {4}Data directory {14}Log file\n/,
      );
      await on.shell('systemctl stop postgresql@18-main');
      assert.match((await on.shell('pg_lsclusters -h')).stdout, /^18 main \d+ down postgres /);
      assert.deepEqual(await on.shell(`pg_isready -h 127.0.0.1 -p ${port}`), {
        code: 2,
        stdout: `127.0.0.1:${port} - no response\n`,
        stderr: '',
      });
      assert.equal((await on.shell('pg_ctlcluster 18 main stop')).code, 2);
      assert.equal((await on.shell('pg_ctlcluster 18 main start')).code, 0);
      assert.equal((await on.shell('pg_ctlcluster 18 main start')).code, 2);
      assert.equal(
        (await on.shell('pg_lsclusters 18 nosuch')).stderr,
        'Error: Cluster 18 nosuch does not exist\n',
      );
    });

    test('pg_createcluster refuses a second cluster of that name and finds another port for another name', async () => {
      const again = await on.shell('pg_createcluster 18 main');
      assert.deepEqual([again.code, again.stderr], [1, 'Error: cluster configuration already exists\n']);
      assert.equal(
        (await on.shell('pg_createcluster -q --encoding=UTF8 --locale=C.UTF-8 --start 18 second')).code,
        0,
      );
      const ports = (await on.shell("pg_lsclusters -h | awk '{ print $3, $4 }'")).stdout.trim().split('\n');
      assert.equal(new Set(ports).size, 2);
      assert.ok(ports.every((line) => line.endsWith(' online')));
      await on.shell('pg_ctlcluster 18 second stop; rm -r /etc/postgresql/18/second');
    });

    test('systemctl knows the units, their states and the words for what is not there', async () => {
      assert.deepEqual(await on.shell('systemctl is-active postgresql postgresql@18-main'), {
        code: 0,
        stdout: 'active\nactive\n',
        stderr: '',
      });
      assert.equal((await on.shell('systemctl is-enabled postgresql')).stdout, 'enabled\n');
      assert.deepEqual(await on.shell('systemctl start nosuch'), {
        code: 5,
        stdout: '',
        stderr: 'Failed to start nosuch.service: Unit nosuch.service not found.\n',
      });
      assert.deepEqual(await on.shell('systemctl is-active nosuch'), {
        code: 3,
        stdout: 'inactive\n',
        stderr: '',
      });
    });

    test('what is not enabled stays down after a restart of the host', async () => {
      await on.shell('systemctl disable postgresql');
      await on.restart();
      assert.match((await on.shell('pg_lsclusters -h')).stdout, /^18 main \d+ down /);
      await on.shell('systemctl enable --now postgresql');
      assert.match((await on.shell('pg_lsclusters -h')).stdout, /^18 main \d+ online /);
    });

    test('[S5] the server keeps neither the open files nor the environment of the command that started it', async () => {
      await on.shell('pg_ctlcluster 18 main stop');
      await on.shell('exec 9>/tmp/lock; flock 9; CAPSTAN_ATTEMPT=att_1 pg_ctlcluster 18 main start');
      assert.equal((await on.shell('flock -n /tmp/lock true')).code, 0, 'the lock is free');
      const marked =
        'for file in /proc/[0-9]*/environ; do grep -lzF CAPSTAN_ATTEMPT=att_1 "$file"; done 2>/dev/null';
      assert.equal((await on.shell(marked)).stdout, '');
      assert.match((await on.shell('pg_lsclusters -h')).stdout, / online /);
    });
  });

  describe('packages of a bare host', () => {
    let on: PackHost;
    before(async () => {
      on = await openPackHost();
    });
    after(() => on.close());

    test('[V12] a dead mirror is named at the update, also beside a good one, and asks nothing', async () => {
      const dead = 'deb http://127.0.0.1:9/debian bookworm main\n';
      for (const sources of [dead, `deb http://mirror.lab.invalid/debian bookworm main\n${dead}`]) {
        on.put('/etc/apt/sources.list', sources);
        const end = await on.script('postgres/files/install-packages.sh');
        assert.equal(end.code, 75);
        assert.match(
          end.stderr,
          /mirror unreachable: http:\/\/127\.0\.0\.1:9\/debian\/dists\/bookworm\/InRelease\n/,
        );
      }
      assert.equal(
        (await on.shell('apt-get update')).code,
        0,
        'without Error-Mode=any apt says that all is well',
      );
      rmSync(join(on.host.rootfs, 'etc/apt/sources.list'));
    });

    test('a package lock that is never given back ends with its holder in the last line', async () => {
      const lock = 'var/lib/capstan-lab/locks/var/lib/dpkg/lock-frontend';
      on.put(lock, '1 unattended-upgr\n');
      const end = await on.shell(`LOCK_PATIENCE=0 sh '${packFile('postgres/files/install-packages.sh')}'`);
      assert.equal(end.code, 75, end.stdout);
      assert.match(
        end.stderr,
        /^another program holds the package lock: process 1 \(.+\) has held \/var\/lib\/dpkg\/lock-frontend for \d s; /m,
      );
      rmSync(join(on.host.rootfs, lock));
    });

    test('the dpkg lock is waited for as long as the option says', async () => {
      const lock = '/var/lib/capstan-lab/locks/var/lib/dpkg/lock-frontend';
      on.put(lock, '1 unattended-upgr\n');
      const held = await on.shell('apt-get install -y postgresql');
      assert.equal(held.code, 100);
      assert.match(
        held.stderr,
        /^E: Could not get lock \/var\/lib\/dpkg\/lock-frontend\. It is held by process 1 \(unattended-upgr\)\nE: Unable to acquire the dpkg frontend lock/,
      );
      const install = 'apt-get -q -o DPkg::Lock::Timeout=60 install -y postgresql-client-common 2>/tmp/words';
      const waiting = on.shell(install);
      const waits = () => on.shell('grep -c "^Waiting for cache lock: Could not get lock " /tmp/words');
      assert.ok(await eventually(async () => (await waits()).stdout === '1\n', 20_000));
      rmSync(join(on.host.rootfs, lock));
      assert.equal((await waiting).code, 0);
    });

    test('a tool fails on demand with the words and the code that were laid down', async () => {
      on.put(
        '/var/lib/capstan-lab/fail/apt-get',
        "100\nE: You don't have enough free space in /var/cache/apt/archives/.\n",
      );
      const end = await on.script('postgres/files/install-packages.sh');
      assert.equal(end.code, 1);
      assert.match(end.stderr, /apt-get update failed: disk full: \/\S* has \d+ KiB free\n/);
      rmSync(join(on.host.rootfs, 'var/lib/capstan-lab/fail/apt-get'));
    });

    test('dpkg-query and apt-get know what is not there', async () => {
      assert.deepEqual(await on.shell('dpkg-query -W nosuch'), {
        code: 1,
        stdout: '',
        stderr: 'dpkg-query: no packages found matching nosuch\n',
      });
      const asked = ['Package', 'db:Status-Status'].map((field) => `\${${field}}`).join(' ');
      assert.equal((await on.shell(`dpkg-query -W -f='${asked}\\n' dpkg`)).stdout, 'dpkg installed\n');
      const missing = await on.shell('apt-get install -y nosuch');
      assert.deepEqual([missing.code, missing.stderr], [100, 'E: Unable to locate package nosuch\n']);
      const refused = await on.shell('apt-get install postgresql');
      assert.equal(refused.code, 1);
      assert.match(refused.stdout, /Do you want to continue\? \[Y\/n\] Abort\.\n$/);
    });

    test('sudo resets the environment, becomes another user, and refuses when it is told to', async () => {
      assert.equal((await on.shell('SECRET=x sudo -n env | grep -c SECRET')).stdout, '0\n');
      assert.equal((await on.shell('sudo -n -u postgres id -un')).stdout, 'postgres\n');
      assert.match((await on.shell('sudo -n -u nosuch true')).stderr, /^sudo: unknown user nosuch\n/);
      on.host.faults.rejectSudo(true);
      assert.deepEqual(await on.shell('sudo -n true'), {
        code: 1,
        stdout: '',
        stderr: 'sudo: a password is required\n',
      });
      on.host.faults.rejectSudo(false);
    });

    test('[C15] a package lock is waited for in the same attempt, and its holder is said at once', async () => {
      const holder = (await on.shell('sleep 300 >/dev/null 2>&1 & echo $!')).stdout.trim();
      on.put('/var/lib/capstan-lab/locks/var/lib/apt/lists/lock', `${holder} unattended-upgr\n`);
      const script = `sh '${packFile('postgres/files/install-packages.sh')}'`;
      const installing = on.shell(`${script} >/tmp/words 2>&1`);
      const said = `waiting for the package lock /var/lib/apt/lists/lock, which process ${holder} (sleep 300) holds (`;
      const words = async () => (await on.shell('cat /tmp/words')).stdout;
      assert.ok(await eventually(async () => (await words()).includes(said), 10_000), await words());
      await on.shell(`kill ${holder}`);
      assert.equal((await installing).code, 0, await words());
      assert.match(await words(), /^Setting up postgresql /m);
    });
  });
}
