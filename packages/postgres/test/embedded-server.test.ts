import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startEmbedded } from '@capstan/postgres';
import pg from 'pg';
import { copyPreparedCluster } from '../src/testing/prepared-cluster.js';
import { ask, startInProcess } from './embedded-process.js';

let base: string;

before(() => {
  base = mkdtempSync(join(tmpdir(), 'capstan-emb-'));
  chmodSync(base, 0o755);
});
after(() => rmSync(base, { recursive: true, force: true }));

async function prepared(name: string): Promise<string> {
  const dataDir = join(base, name);
  mkdirSync(dataDir, { mode: 0o711 });
  await copyPreparedCluster(dataDir);
  return dataDir;
}

test('a first start makes a closed UTF-8 cluster that only the generated password opens; the second finds it', async () => {
  const dataDir = join(base, "first 'with' signs \u00fc");
  const first = await startEmbedded({ dataDir, fsync: false });
  assert.equal(statSync(join(dataDir, 'postgres')).mode & 0o777, 0o700);
  assert.equal(statSync(join(dataDir, 'secret')).mode & 0o777, 0o700);
  assert.equal(statSync(join(dataDir, 'secret', 'postgres-password')).mode & 0o777, 0o600);
  assert.equal(statSync(first.connection.host).mode & 0o777, 0o700);
  const [settings] = await ask(
    first.url,
    `select current_setting('server_encoding') as encoding, current_setting('listen_addresses') as addresses, current_setting('password_encryption') as password,
      (select datcollate from pg_database where datname = current_database()) as locale, current_setting('TimeZone') as zone`,
  );
  assert.deepEqual(settings, {
    encoding: 'UTF8',
    addresses: '',
    password: 'scram-sha-256',
    locale: 'C',
    zone: 'UTC',
  });
  const rules = await ask(first.url, `select distinct auth_method from pg_hba_file_rules`);
  assert.deepEqual(rules, [{ auth_method: 'scram-sha-256' }]);
  await assert.rejects(ask({ ...first.connection, password: 'guess' }, 'select 1'), { code: '28P01' });
  await ask(first.url, 'create table kept as select 1 as n');
  await first.stop();
  assert.throws(() => statSync(first.connection.host), { code: 'ENOENT' });
  const second = await startEmbedded({ dataDir, fsync: false });
  assert.deepEqual(await ask(second.connection, 'select n from kept'), [{ n: 1 }]);
  await second.stop();
});

test('stop ends within 5 s, also with a client that holds a transaction', async () => {
  const server = await startEmbedded({ dataDir: await prepared('stop'), fsync: false });
  const client = new pg.Client(server.connection);
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin; create table held (n int)');
  const began = Date.now();
  await server.stop();
  assert.ok(Date.now() - began < 5000);
  assert.match(await server.ended, /^PostgreSQL ended \(0\)/);
  assert.throws(() => process.kill(server.pid, 0), { code: 'ESRCH' });
});

test('a folder in use is refused, naming the process; so is a second start in another process', async () => {
  const dataDir = await prepared('twice');
  const server = await startEmbedded({ dataDir, fsync: false });
  await assert.rejects(startEmbedded({ dataDir, fsync: false }), {
    code: 'already_running',
    message: new RegExp(`for process ${process.pid}\\.$`),
  });
  const other = await startInProcess({ dataDir, fsync: false });
  assert.equal('code' in other.said && other.said.code, 'already_running');
  assert.deepEqual(await ask(server.connection, 'select 1 as n'), [{ n: 1 }]);
  await server.stop();
});

test('a socket path that is too long becomes the loopback address, with the password', async () => {
  const long = join(base, 'x'.repeat(90));
  mkdirSync(long, { mode: 0o755 });
  const server = await startEmbedded({ dataDir: await prepared('tcp'), fsync: false, socketParent: long });
  assert.equal(server.connection.host, '127.0.0.1');
  assert.deepEqual(await ask(server.url, 'select 1 as n'), [{ n: 1 }]);
  await assert.rejects(ask({ ...server.connection, password: '' }, 'select 1'));
  await server.restart();
  assert.deepEqual(await ask(server.url, 'select 1 as n'), [{ n: 1 }]);
  await server.stop();
});

test('[V08] the language of the caller does not matter', async () => {
  const names = ['LANG', 'LC_ALL', 'LANGUAGE', 'TZ', 'PGDATA', 'PGPORT'];
  const own = names.map((name) => [name, process.env[name]] as const);
  for (const env of [
    { LANG: 'en_GB.UTF-8', LC_ALL: 'en_GB.UTF-8', TZ: 'Nowhere/Else' },
    { LANG: 'ru_RU.UTF-8', LANGUAGE: 'ru', PGDATA: '/nowhere', PGPORT: '1' },
    {},
  ]) {
    for (const name of names) delete process.env[name];
    Object.assign(process.env, env);
    const dataDir = mkdtempSync(join(base, 'lang-'));
    chmodSync(dataDir, 0o711);
    const server = await startEmbedded({ dataDir, fsync: false });
    const [row] = await ask(
      server.url,
      `select current_setting('server_encoding') as encoding, current_setting('lc_messages') as messages`,
    );
    assert.deepEqual(row, { encoding: 'UTF8', messages: 'C' });
    await server.stop();
  }
  for (const [name, value] of own) if (value !== undefined) process.env[name] = value;
});

test('what stands in the way of the data is one sentence', async () => {
  const dataDir = await prepared('trouble');
  const version = join(dataDir, 'postgres', 'PG_VERSION');
  writeFileSync(version, '15\n');
  await assert.rejects(startEmbedded({ dataDir }), {
    code: 'wrong_major',
    message: /was made by PostgreSQL 15, this build brings 18\.$/,
  });
  writeFileSync(version, '18\n');
  const password = join(dataDir, 'secret', 'postgres-password');
  renameSync(password, `${password}.away`);
  await assert.rejects(startEmbedded({ dataDir }), { code: 'password_lost' });
  renameSync(`${password}.away`, password);
  writeFileSync(join(dataDir, 'postgres', 'postgresql.auto.conf'), 'max_connections = many\n');
  await assert.rejects(startEmbedded({ dataDir, fsync: false }), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'postgres_failed');
    assert.match(error.message, /max_connections/);
    assert.ok(!error.message.includes('\n'));
    return true;
  });
  assert.match(readFileSync(join(dataDir, 'postgres.log'), 'utf8'), /max_connections/);
  const foreign = join(base, 'foreign');
  mkdirSync(join(foreign, 'postgres'), { recursive: true, mode: 0o711 });
  mkdirSync(join(foreign, 'secret'));
  writeFileSync(join(foreign, 'secret', 'postgres-password'), 'x');
  await assert.rejects(startEmbedded({ dataDir: foreign }), { code: 'no_cluster' });
});
