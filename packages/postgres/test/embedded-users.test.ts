import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startEmbedded } from '@capstan/postgres';
import { requireSuite } from '../../../scripts/suites.mjs';
import { copyPreparedCluster } from '../src/testing/prepared-cluster.js';
import { ask, startInProcess } from './embedded-process.js';

const NOBODY = 65534;
const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));
const succeeds = (file: string, ...args: string[]) => spawnSync(file, args).status === 0;

let base: string;
before(() => {
  base = mkdtempSync(join(tmpdir(), 'capstan-usr-'));
  chmodSync(base, 0o755);
});
after(() => rmSync(base, { recursive: true, force: true }));

async function prepared(name: string, mode: number): Promise<string> {
  const dataDir = join(base, name);
  mkdirSync(dataDir, { recursive: true });
  await copyPreparedCluster(dataDir);
  chmodSync(dataDir, mode);
  return dataDir;
}

const owner = (pid: number) => statSync(`/proc/${pid}`).uid;

if (requireSuite('root', process.getuid?.() === 0, 'needs the user root', 'run npm test as root')) {
  test('as root: the server is the user nobody where it can reach its folder', async () => {
    const dataDir = await prepared('open', 0o711);
    const server = await startEmbedded({ dataDir, fsync: false });
    assert.equal(owner(server.pid), NOBODY);
    assert.equal(statSync(join(dataDir, 'postgres', 'base')).uid, NOBODY);
    assert.deepEqual(await ask(server.connection, 'select 1 as n'), [{ n: 1 }]);
    await server.stop();
  });

  test('as root, folder closed, no user namespaces: the folder is opened to enter, nothing more, and it says so', async () => {
    const dataDir = await prepared('closed', 0o700);
    const log: string[] = [];
    const server = await startEmbedded({
      dataDir,
      fsync: false,
      unshare: '/bin/false',
      log: (line) => log.push(line),
    });
    assert.equal(owner(server.pid), NOBODY);
    assert.equal(statSync(dataDir).mode & 0o777, 0o711);
    assert.equal(log.length, 1);
    assert.deepEqual(await ask(server.connection, 'select 1 as n'), [{ n: 1 }]);
    await server.stop();
  });

  test('as root under a 0700 parent without user namespaces: data and binaries are copied, it says so, and stays there', async () => {
    mkdirSync(join(base, 'private'), { mode: 0o700 });
    const dataDir = await prepared('private/data', 0o700);
    const options = { dataDir, fsync: false, unshare: '/bin/false', fallbackDir: join(base, 'var-lib') };
    const log: string[] = [];
    const server = await startEmbedded({ ...options, log: (line) => log.push(line) });
    assert.equal(owner(server.pid), NOBODY);
    assert.equal(log.length, 1);
    assert.match(log[0] ?? '', /var-lib/);
    await ask(server.connection, 'create table kept as select 3 as n');
    await server.stop();
    assert.equal(statSync(dataDir).mode & 0o777, 0o700);
    const again = await startEmbedded({ dataDir, fsync: false, fallbackDir: options.fallbackDir });
    assert.deepEqual(
      await ask(again.connection, 'select n from kept'),
      [{ n: 3 }],
      'also when namespaces work now',
    );
    await again.stop();
  });

  const unshare = succeeds(
    'unshare',
    '--user',
    `--map-user=${NOBODY}`,
    `--map-group=${NOBODY}`,
    '--',
    'true',
  );
  if (
    requireSuite(
      'userns',
      unshare,
      'the kernel gives no user namespaces',
      'allow them (kernel.unprivileged_userns_clone, AppArmor)',
    )
  ) {
    test('as root under a 0700 parent: a user namespace in which root is nobody; files stay where they are', async () => {
      mkdirSync(join(base, 'closed-parent'), { mode: 0o700 });
      const dataDir = join(base, 'closed-parent', 'data');
      const fallbackDir = join(base, 'unused');
      const first = await startEmbedded({ dataDir, fsync: false, fallbackDir });
      await ask(first.connection, 'create table kept as select 4 as n');
      await first.stop();
      assert.ok(!existsSync(fallbackDir));
      assert.equal(statSync(join(dataDir, 'postgres')).uid, 0);
      chmodSync(join(base, 'closed-parent'), 0o755);
      const second = await startEmbedded({ dataDir, fsync: false, fallbackDir });
      assert.equal(owner(second.pid), NOBODY, 'and once the folder is open, the user nobody takes over');
      assert.deepEqual(await ask(second.connection, 'select n from kept'), [{ n: 4 }]);
      await second.stop();
    });
  }

  const reaches = succeeds(
    'setpriv',
    `--reuid=${NOBODY}`,
    `--regid=${NOBODY}`,
    '--clear-groups',
    'test',
    '-r',
    join(CHECKOUT, 'package.json'),
  );
  if (
    requireSuite(
      'nobody',
      reaches,
      'the user nobody cannot read the checkout, or there is no setpriv',
      'clone into an open folder',
    )
  ) {
    test('as a user without rights: nothing special is needed', async () => {
      const dataDir = join(base, 'nobody');
      mkdirSync(dataDir, { mode: 0o700 });
      chownSync(dataDir, NOBODY, NOBODY);
      const prefix = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
      const { PATH } = process.env;
      const starter = await startInProcess({ dataDir, fsync: false }, { prefix, env: { PATH } });
      assert.ok('pid' in starter.said, JSON.stringify(starter.said));
      assert.equal(owner(starter.said.pid), NOBODY);
      assert.equal(statSync(join(dataDir, 'secret', 'postgres-password')).uid, NOBODY);
      const connection = {
        ...hostOf(starter.said.url),
        password: readFileSync(join(dataDir, 'secret', 'postgres-password'), 'utf8'),
      };
      assert.deepEqual(await ask({ ...connection, user: 'capstan', database: 'capstan' }, 'select 1 as n'), [
        { n: 1 },
      ]);
      await starter.stop();
      const closed = await startInProcess(
        { dataDir: join(base, 'mine'), fsync: false },
        { prefix, env: { PATH } },
      );
      assert.ok('code' in closed.said);
      assert.equal(closed.said.code, 'data_not_writable');
      assert.match(closed.said.error, /is not writable by nobody: [^\n]+\.$/);
    });
  }
}

function hostOf(url: string): { host: string; port: number } {
  const { searchParams } = new URL(url.replace(/^postgres:\/\/[^?]*/, 'http://x/'));
  return { host: searchParams.get('host') ?? '', port: Number(searchParams.get('port')) };
}
