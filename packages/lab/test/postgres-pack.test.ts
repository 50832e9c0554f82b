import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { usernsSuite } from './lab-client.js';
import {
  checkPostgres,
  installPostgres,
  openPackHost,
  PARAMS,
  type PackHost,
  packFile,
} from './pack-host.js';

const PASSWORD = `Zq7'\\:"$w ö-${'x'.repeat(20)}`;
const ALL_PROVED = {
  'packages-installed': 0,
  'cluster-online': 0,
  'access-open': 0,
  'database-present': 0,
  query: 0,
};

if (await usernsSuite()) {
  // The tests of this suite share one host and leave it proved, except for the last.
  describe('the pack postgres on a host', () => {
    let on: PackHost;
    before(async () => {
      on = await openPackHost();
      on.put('/tmp/in/database_password', PASSWORD);
    });
    after(() => on.close());

    test('no check passes before anything was done', async () => {
      const ends = await checkPostgres(on);
      assert.deepEqual(Object.keys(ends), Object.keys(ALL_PROVED));
      for (const [check, code] of Object.entries(ends)) assert.notEqual(code, 0, check);
    });

    test('it installs a server that answers over the network with that password only', async () => {
      await installPostgres(on);
      assert.deepEqual(await checkPostgres(on), ALL_PROVED);
      const [answer] = await query(on, PASSWORD);
      assert.equal(answer?.who, 'main');
      assert.equal(answer?.where, 'main');
      await assert.rejects(query(on, 'another'), /password authentication failed/);
    });

    test('the evidence is JSON that holds the attributes of the fact', async () => {
      const end = await on.script('postgres/files/query.sh', PARAMS);
      const { host, port, database, user } = JSON.parse(end.stdout) as Record<string, unknown>;
      assert.deepEqual({ host, database, user }, { host: '127.0.0.1', database: 'main', user: 'main' });
      assert.equal(port, await portOf(on));
    });

    test('a second run changes nothing: same rules, same password, no restart', async () => {
      const [rules, answer] = [on.read('/etc/postgresql/18/main/pg_hba.conf'), await query(on, PASSWORD)];
      await installPostgres(on);
      assert.equal(on.read('/etc/postgresql/18/main/pg_hba.conf'), rules);
      assert.deepEqual(await query(on, PASSWORD), answer);
    });

    test('a rule that the server refuses is taken back', async () => {
      const rules = on.read('/etc/postgresql/18/main/pg_hba.conf');
      const end = await on.script('postgres/files/configure-access.sh', {
        ...PARAMS,
        clients: '10.0.0.0/99',
      });
      assert.notEqual(end.code, 0);
      assert.match(
        end.stderr,
        /^the server refuses the rule for '10\.0\.0\.0\/99', the old file is back: line \d+: /,
      );
      assert.equal(on.read('/etc/postgresql/18/main/pg_hba.conf'), rules);
    });

    test('a role and a database of someone else are left alone', async () => {
      const make = `psql -qX -c "CREATE ROLE theirs LOGIN PASSWORD 'old'" -c 'CREATE DATABASE other'`;
      assert.equal((await on.shell(`runuser -u postgres -- ${make}`)).code, 0);
      const hash = await verifierOf(on, 'theirs');
      const role = await on.script('postgres/files/create-database.sh', { name: 'theirs' });
      assert.notEqual(role.code, 0);
      assert.match(role.stderr, /^the role theirs is there and was not made by Capstan/);
      assert.equal(await verifierOf(on, 'theirs'), hash);
      const database = await on.script('postgres/files/create-database.sh', { name: 'other' });
      assert.notEqual(database.code, 0);
      assert.match(
        database.stderr,
        /^the database other is there and belongs to postgres: nothing was changed/,
      );
    });

    test('[V11] a reserved word as name is the same byte for byte in database, user, rule and answer', async () => {
      const params = { ...PARAMS, name: 'order' };
      await installPostgres(on, params);
      assert.deepEqual(await checkPostgres(on, params), ALL_PROVED);
      assert.match(
        on.read('/etc/postgresql/18/main/pg_hba.conf'),
        /^host "order" "order" samenet scram-sha-256 /m,
      );
      assert.match(
        (await on.script('postgres/files/query.sh', params)).stdout,
        /"database" : "order", "user" : "order"/,
      );
      assert.deepEqual(await checkPostgres(on), ALL_PROVED, 'the first database is as it was');
    });

    test('[V10] a server that does not listen is proved closed, then restarted because pending_restart says so', async () => {
      await on.shell(`runuser -u postgres -- psql -qXc "ALTER SYSTEM SET listen_addresses = ''"`);
      await on.shell('systemctl restart postgresql@18-main');
      const closed = await on.script('postgres/files/access-open.sh', PARAMS);
      assert.equal(closed.code, 1);
      assert.match(closed.stderr, /^the server listens on '', but not on 127\.0\.0\.1: /);
      const end = await on.script('postgres/files/configure-access.sh', PARAMS);
      assert.equal(end.code, 0, end.stderr);
      assert.match(end.stdout, /restarting 18\/main: listen_addresses takes effect only then/);
      assert.deepEqual(await checkPostgres(on), ALL_PROVED);
    });

    test('a restart of the host brings the same database back, whatever the old pid file says', async () => {
      await on.restart();
      assert.equal(on.host.bootProblem, undefined);
      on.put('/tmp/in/database_password', PASSWORD); // a boot empties /tmp
      assert.deepEqual(await checkPostgres(on), ALL_PROVED);
    });

    test('a data folder without configuration is never shown to pg_createcluster, which would drop it', async () => {
      await on.shell('pg_ctlcluster 18 main stop; mv /etc/postgresql/18/main /etc/postgresql/away');
      const end = await on.script('postgres/files/create-cluster.sh');
      assert.equal(end.code, 78);
      assert.match(
        end.stderr,
        /^the folder \/var\/lib\/postgresql\/18\/main holds something, but no cluster 18\/main /,
      );
      await on.shell('mv /etc/postgresql/away /etc/postgresql/18/main');
      assert.equal((await on.script('postgres/files/create-cluster.sh')).code, 0);
      assert.deepEqual(await checkPostgres(on), ALL_PROVED);
    });

    test('[V09] a configuration without data stops the job with both paths, and nothing is deleted', async () => {
      await on.shell('pg_ctlcluster 18 main stop');
      rmSync(join(on.host.rootfs, 'var/lib/postgresql/18/main'), { recursive: true });
      assert.match((await on.shell('pg_lsclusters -h')).stdout, /^18 main \d+ down <unknown> /);
      const listed = tree(join(on.host.rootfs, 'etc/postgresql'));
      const end = await on.script('postgres/files/create-cluster.sh');
      assert.equal(end.code, 78);
      const words =
        /^cluster 18\/main is configured in (\S+), but its data folder (\S+) holds no database: [^\n]+; nothing was changed\n$/;
      assert.deepEqual(words.exec(end.stderr)?.slice(1), [
        '/etc/postgresql/18/main',
        '/var/lib/postgresql/18/main',
      ]);
      assert.deepEqual(tree(join(on.host.rootfs, 'etc/postgresql')), listed);
      assert.deepEqual(readdirSync(join(on.host.rootfs, 'var/lib/postgresql/18')), []);
    });
  });

  test('[V09] [V04] [L10] umask 077 and no main cluster: it makes its own, with stated modes, and the password leaks nowhere', async (t) => {
    const on = await openPackHost();
    t.after(() => on.close());
    // Made anew each time: the checkout, which a host can read, holds it in no file.
    const secret = `S3cret${randomBytes(14).toString('hex')}`;
    on.put('/etc/postgresql-common/createcluster.conf', 'create_main_cluster = false\n');
    on.put('/tmp/in/database_password', secret);
    const settings =
      'CAPSTAN_INPUTS=/tmp/in CAPSTAN_PARAM_NAME=main CAPSTAN_PARAM_ADDRESS=127.0.0.1 CAPSTAN_PARAM_CLIENTS=samenet';
    const watch = watchProcesses(on, secret);
    for (const name of [
      'install-packages',
      'create-cluster',
      'configure-access',
      'create-database',
      'query',
    ]) {
      if (name === 'create-cluster') assert.equal((await on.shell('pg_lsclusters -h')).stdout, '');
      const end = await on.shell(`umask 077; env ${settings} sh '${packFile(`postgres/files/${name}.sh`)}'`);
      assert.equal(end.code, 0, `${name}: ${end.stderr}`);
    }
    const { looks, seenIn } = watch.end();
    assert.ok(looks > 500, `only ${looks} looks at the processes of the host`);
    assert.deepEqual(seenIn, []);
    const left = await on.shell(`grep -rlF ${secret} /tmp /dev/shm /var/log /etc /root`);
    assert.equal(left.stdout, '/tmp/in/database_password\n');

    const modes = await on.shell(
      'cd /etc/postgresql/18/main && stat -c "%a %n" . postgresql.conf pg_hba.conf pg_ident.conf',
    );
    assert.equal(modes.stdout, '755 .\n644 postgresql.conf\n640 pg_hba.conf\n640 pg_ident.conf\n');
    const encoding = `psql -XAtc 'SHOW server_encoding' -c "SELECT datcollate FROM pg_database WHERE datname = 'main'"`;
    assert.equal((await on.shell(`runuser -u postgres -- ${encoding}`)).stdout, 'UTF8\nC.UTF-8\n');
  });
}

test('the pack works where a folder plays the host, too', async (t) => {
  const on = await openPackHost({ isolation: 'none' });
  t.after(() => on.close());
  on.put('/tmp/in/database_password', PASSWORD);
  await installPostgres(on);
  assert.deepEqual(await checkPostgres(on), ALL_PROVED);
});

async function portOf(on: PackHost): Promise<number> {
  const end = await on.script('postgres/files/cluster-online.sh');
  return (JSON.parse(end.stdout) as { port: number }).port;
}

interface Who {
  readonly who: string;
  readonly where: string;
  readonly since: string;
}

async function query(on: PackHost, password: string): Promise<Who[]> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port: await portOf(on),
    user: 'main',
    database: 'main',
    password,
  });
  await client.connect();
  const since = 'pg_postmaster_start_time()::text AS since';
  const answer = await client.query<Who>(`SELECT current_user AS who, current_database() AS where, ${since}`);
  await client.end();
  return answer.rows;
}

async function verifierOf(on: PackHost, role: string): Promise<string> {
  const text = `SELECT rolpassword FROM pg_authid WHERE rolname = '${role}'`;
  const end = await on.shell(`runuser -u postgres -- psql -XAtc "${text}"`);
  assert.match(end.stdout, /^SCRAM-SHA-256\$/);
  return end.stdout;
}

/** Looks into the arguments and the environment of every process of the host until `end` is called. */
function watchProcesses(on: PackHost, secret: string): { end(): { looks: number; seenIn: string[] } } {
  let looks = 0;
  const seenIn = new Set<string>();
  const timer = setInterval(() => {
    for (const pid of on.host.processes()) {
      for (const file of ['cmdline', 'environ']) {
        looks += 1;
        if (readProcess(pid, file).includes(secret)) seenIn.add(file);
      }
    }
  }, 5);
  return {
    end: () => {
      clearInterval(timer);
      return { looks, seenIn: [...seenIn] };
    },
  };
}

function readProcess(pid: number, file: string): string {
  const path = `/proc/${pid}/${file}`;
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return '';
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    // It ended between the two calls.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

function tree(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
}
