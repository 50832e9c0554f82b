import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { until } from '../product.js';
import { debianSuite, startOnDebian } from './product-on-debian.js';

interface Resources {
  readonly resources: readonly {
    readonly key: string;
    readonly environment: string;
    readonly facts: readonly {
      readonly capability: string;
      readonly state: string;
      readonly provenance: string;
      readonly attributes: Readonly<Record<string, string | number>>;
    }[];
  }[];
}

const MINUTES = 60_000;
const install = (name: string) =>
  `{action: install, target_resource_type: postgres, desired_result: {name: ${name}}, hosts: [node/db]}`;

if (await debianSuite()) {
  test('PostgreSQL on a real host', { timeout: 10 * MINUTES }, async (t) => {
    const on = await startOnDebian(t, ['db']);
    const { lab, product } = on;

    await t.test(
      '[V12] a mirror that cannot be reached is named, and healed it is tried again by itself',
      async () => {
        // [V09] Debian then makes no cluster when the package is installed: the pack makes its own.
        await on.root('db', 'mkdir -p /etc/postgresql-common');
        await on.root('db', 'echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf');
        await lab.break('apt', 'db');
        const operation = await on.apply(install('main'));
        const said = await until('the first attempt ends', 2 * MINUTES, async () => {
          const log = await on.log(operation, 'install-packages[db]');
          return log.includes('mirror unreachable') ? log : null;
        });
        assert.match(said, /^apt-get update failed: mirror unreachable: http:\/\/\S+\/InRelease$/m);
        assert.doesNotMatch(said, /Unable to locate package/);
        await lab.break('dpkg-lock', 'db');
        await lab.heal('apt', 'db');
      },
    );

    await t.test(
      '[C15] a package lock that another holds is waited for, with its holder, who is left alone',
      async () => {
        const [operation = ''] = (await product.cli('get', 'operations', '--json'))
          .json<{ operations: { number: string }[] }>()
          .operations.map((one) => one.number);
        const said =
          /^waiting for the package lock \/var\/lib\/dpkg\/lock-frontend, which process \d+ \(\S*perl [^)]+\) holds \(1\d s so far\)$/m;
        await until('the lock is met', 3 * MINUTES, async () =>
          said.test(await on.log(operation, 'install-packages[db]')),
        );
        const installing = async () =>
          (await on.show(operation)).nodes.find((node) => node.key === 'install-packages[db]');
        const met = await installing();
        assert.equal(met?.status, 'running');
        assert.match(await on.root('db', 'systemctl is-active lab-dpkg-lock'), /^active/);
        await lab.heal('dpkg-lock', 'db');
        const done = await on.reaches(operation, 'succeeded', 5 * MINUTES);
        assert.equal((await installing())?.attempt, met.attempt, 'waiting uses up no attempt');
        for (const node of done.nodes) {
          // Of each check the last word counts: before the installation it is refuted.
          for (const one of new Map(node.evidence.map((entry) => [entry.check, entry])).values()) {
            assert.deepEqual([one.verdict, one.provenance], ['confirmed', 'real'], one.check);
          }
        }
      },
    );

    await t.test('what was proved is real, and the revealed password opens it over the network', async () => {
      const { resources } = (await product.cli('get', 'resources', '--json')).json<Resources>();
      const postgres = resources.find((one) => one.key === 'postgres/main');
      assert.equal(postgres?.environment, 'lab-debian');
      const fact = postgres?.facts.find((one) => one.capability === 'database.postgresql');
      assert.deepEqual([fact?.state, fact?.provenance], ['holds', 'real']);
      const { host, port, database, user } = fact?.attributes ?? {};
      assert.deepEqual([host, port], [lab.hosts[0]?.address, 5432]);
      const revealed = await product.cli('artifact', 'get', 'postgres/main', 'database_password', '--reveal');
      const login = {
        host: String(host),
        port: Number(port),
        database: String(database),
        user: String(user),
      };
      const client = new pg.Client({ ...login, password: revealed.stdout });
      await client.connect();
      const answer = await client.query(
        'select 6 * 7 as answer, inet_server_addr()::text as at, version() as version',
      );
      await client.end();
      assert.equal(answer.rows[0].answer, 42);
      assert.equal(answer.rows[0].at, `${host}/32`);
      assert.match(answer.rows[0].version, /^PostgreSQL 15.*Debian/);
      const wrong = new pg.Client({ ...login, password: 'wrong' });
      await assert.rejects(wrong.connect(), /password authentication failed/);
    });

    await t.test(
      '[V10] the cluster that listened on localhost alone was restarted, and it is said',
      async () => {
        const [operation = ''] = (await product.cli('get', 'operations', '--json'))
          .json<{ operations: { number: string }[] }>()
          .operations.map((one) => one.number);
        assert.match(
          await on.log(operation, 'configure-access'),
          /restarting 15\/main: listen_addresses takes effect only then/,
        );
      },
    );

    await t.test(
      '[V09] a cluster whose data folder is gone is told with both paths, and nothing is touched',
      async () => {
        await on.root(
          'db',
          'systemctl stop postgresql@15-main && mv /var/lib/postgresql/15/main /var/lib/postgresql/kept',
        );
        const operation = await on.apply(install('second'));
        const shown = await on.reaches(operation, 'needs_attention', 3 * MINUTES);
        assert.ok(
          shown.nodes.some((node) => node.key === 'create-cluster[db]' && node.status === 'failed'),
          JSON.stringify(shown.nodes),
        );
        const log = await on.log(operation, 'create-cluster[db]');
        assert.match(
          log,
          /\/etc\/postgresql\/15\/main.*\/var\/lib\/postgresql\/15\/main holds no database.*nothing was changed/,
        );
        await on.root(
          'db',
          'test -s /var/lib/postgresql/kept/PG_VERSION && test -s /etc/postgresql/15/main/postgresql.conf',
        );
        await on.root('db', 'mv /var/lib/postgresql/kept /var/lib/postgresql/15/main');
        const retried = await product.cli('retry', operation, 'create-cluster[db]');
        assert.equal(retried.code, 0, retried.stderr);
        await on.reaches(operation, 'succeeded', 3 * MINUTES);
      },
    );
  });
}
