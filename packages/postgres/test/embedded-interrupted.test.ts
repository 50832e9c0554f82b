import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbedded } from '@capstan/postgres';
import { copyPreparedCluster } from '../src/testing/prepared-cluster.js';
import { ask, startInProcess } from './embedded-process.js';

let base: string;

before(() => {
  base = mkdtempSync(join(tmpdir(), 'capstan-int-'));
  chmodSync(base, 0o755);
});
after(() => rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

async function prepared(name: string): Promise<string> {
  const dataDir = join(base, name);
  mkdirSync(dataDir, { mode: 0o711 });
  await copyPreparedCluster(dataDir);
  return dataDir;
}

async function until(what: () => boolean, ms = 10_000): Promise<void> {
  for (const end = Date.now() + ms; !what(); await sleep(10))
    if (Date.now() > end) throw new Error(`not in ${ms} ms: ${what}`);
}

const alive = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
};

test('[V08] kill -9 in the middle of initdb leaves nothing that breaks the second start', async () => {
  const dataDir = join(base, 'initdb');
  const starter = await startInProcess({ dataDir, fsync: false }, { wait: false });
  const drafts = () =>
    existsSync(dataDir) ? readdirSync(dataDir).filter((name) => name.startsWith('postgres.draft-')) : [];
  // PG_VERSION is among the first files that initdb writes.
  await until(() => drafts().some((name) => existsSync(join(dataDir, name, 'PG_VERSION'))));
  starter.child.kill('SIGKILL');
  assert.ok(!existsSync(join(dataDir, 'postgres')));
  const server = await startEmbedded({ dataDir, fsync: false });
  assert.deepEqual(await ask(server.connection, 'select 1 as n'), [{ n: 1 }]);
  assert.deepEqual(drafts(), []);
  await server.stop();
});

test('kill -9 of the starter: the server ends by itself soon after, and gives its socket back', async () => {
  const dataDir = await prepared('starter');
  const starter = await startInProcess({ dataDir, fsync: false });
  assert.ok('pid' in starter.said);
  const { pid, url } = starter.said;
  await ask(url, 'create table kept as select 7 as n');
  starter.child.kill('SIGKILL');
  await until(() => !alive(pid));
  const server = await startEmbedded({ dataDir, fsync: false });
  assert.deepEqual(await ask(server.connection, 'select n from kept'), [{ n: 7 }]);
  assert.ok(
    !existsSync(new URL(url.replace(/^postgres:\/\/[^?]*/, 'http://x/')).searchParams.get('host') ?? ''),
    'the socket folder is gone',
  );
  await server.stop();
});

test('kill -9 of starter and server: what the server left in its folder does not stop the next', async () => {
  const dataDir = await prepared('both');
  const starter = await startInProcess({ dataDir, fsync: false });
  assert.ok('pid' in starter.said);
  starter.child.kill('SIGKILL');
  process.kill(starter.said.pid, 'SIGKILL');
  const server = await startEmbedded({ dataDir, fsync: false });
  assert.deepEqual(await ask(server.connection, 'select 1 as n'), [{ n: 1 }]);
  await server.stop();
});

test('a server whose starter died, and that nobody ended, is ended by the next start', async () => {
  const dataDir = await prepared('left');
  const starter = await startInProcess({ dataDir, fsync: false });
  assert.ok('pid' in starter.said);
  const { pid } = starter.said;
  // The watcher reads the first line before it ends the server; without it the server stays.
  const lock = join(dataDir, 'postgres', 'postmaster.pid');
  const text = readFileSync(lock, 'utf8');
  writeFileSync(lock, `0${text}`);
  starter.child.kill('SIGKILL');
  await once(starter.child, 'exit');
  await sleep(200);
  assert.ok(alive(pid));
  const log: string[] = [];
  const server = await startEmbedded({ dataDir, fsync: false, log: (line) => log.push(line) });
  assert.deepEqual(log, [`Stopping a PostgreSQL (process ${pid}) that an earlier start left behind.`]);
  assert.ok(!alive(pid));
  assert.deepEqual(await ask(server.connection, 'select 1 as n'), [{ n: 1 }]);
  await server.stop();
});

test('a stale process id that belongs to another program now is left alone, and the server starts', async () => {
  const dataDir = await prepared('reused');
  const stranger = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {});
  const { pid } = stranger;
  assert.ok(pid);
  const lock = join(dataDir, 'postgres', 'postmaster.pid');
  writeFileSync(
    lock,
    [
      pid,
      join(dataDir, 'postgres'),
      1_700_000_000,
      5432,
      '',
      '',
      '         1         1',
      'ready   ',
      '',
    ].join('\n'),
  );
  const server = await startEmbedded({ dataDir, fsync: false });
  assert.deepEqual(await ask(server.connection, 'select 1 as n'), [{ n: 1 }]);
  assert.ok(alive(pid));
  stranger.kill('SIGKILL');
  await server.stop();
});

test('a killed server can be restarted at its address', async () => {
  const server = await startEmbedded({ dataDir: await prepared('restart'), fsync: false });
  process.kill(server.pid, 'SIGKILL');
  assert.match(await server.ended, /^PostgreSQL ended \(SIGKILL\)/);
  await server.restart();
  assert.deepEqual(await ask(server.url, 'select 1 as n'), [{ n: 1 }]);
  await server.stop();
});
