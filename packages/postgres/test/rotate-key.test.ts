import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Database } from '@capstan/postgres';
import { openDatabase } from '@capstan/postgres';
import type { FreshDatabase, TestDatabase } from '@capstan/postgres/testing';
import { startTestDatabase } from '@capstan/postgres/testing';
import pg from 'pg';

const PROGRAM = fileURLToPath(new URL('./rotate-program.ts', import.meta.url));
const HOOK = fileURLToPath(new URL('../../../scripts/swc-hook.mjs', import.meta.url));

let server: TestDatabase;
const folders: string[] = [];

before(async () => {
  server = await startTestDatabase();
});
after(async () => {
  await server.stop();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A database with a data folder of its own, because a rotation changes the folder's key. */
async function installation(secrets: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'capstan-key-'));
  folders.push(dataDir);
  const fresh = await server.create({ dataDir });
  const values = new Map<string, string>();
  for (let i = 0; i < secrets; i += 1)
    values.set(
      await fresh.database.secrets.put('default', `s/${i}`, Buffer.from(`value ${i}`)),
      `value ${i}`,
    );
  return { ...fresh, dataDir, file: join(dataDir, 'secret', 'key-encryption-key'), values };
}

async function readable(database: Database, values: ReadonlyMap<string, string>): Promise<void> {
  for (const [ref, value] of values)
    assert.equal(Buffer.from((await database.secrets.get(ref)) ?? []).toString(), value);
}

async function keyIds({ connection }: FreshDatabase): Promise<Record<string, number>> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query('select key_id, count(*)::int as n from secrets group by 1');
  await client.end();
  return Object.fromEntries(rows.map(({ key_id, n }) => [key_id, n]));
}

test('[L10] every secret is readable during and after a rotation, by processes that began before it and after it', async () => {
  const it = await installation(25);
  const old = readFileSync(it.file, 'utf8');
  const print = it.database.secrets.fingerprint(Buffer.from('x'));
  const bystander = await it.open({ dataDir: it.dataDir });
  const during: Promise<void>[] = [];
  const later = new Map<string, string>();
  const rotated = await it.database.keys.rotate({
    batch: 4,
    progress: () => {
      during.push(readable(bystander, it.values));
      during.push(
        bystander.secrets
          .put('default', 'made/during', Buffer.from('new'))
          .then((ref) => void later.set(ref, 'new')),
      );
    },
  });
  await Promise.all(during);
  assert.ok(rotated.kind === 'rotated');
  assert.ok(rotated.rewrapped >= 25 && !rotated.resumed);
  assert.notEqual(readFileSync(it.file, 'utf8'), old);
  assert.equal(statSync(it.file).mode & 0o777, 0o600);
  assert.equal(existsSync(`${it.file}.next`), false);
  assert.deepEqual(Object.keys(await keyIds(it)), [rotated.current], 'no row refers to the old key');
  later.set(await bystander.secrets.put('default', 'made/after', Buffer.from('after')), 'after');
  assert.deepEqual(Object.keys(await keyIds(it)), [rotated.current]);
  const fresh = await it.open({ dataDir: it.dataDir });
  for (const database of [it.database, bystander, fresh]) {
    await readable(database, it.values);
    await readable(database, later);
    assert.equal(
      database.secrets.fingerprint(Buffer.from('x')),
      print,
      'proofs made with a secret stay valid',
    );
  }
});

test('[L10] a rotation killed in the middle leaves every secret readable, and the next call goes on with it', async () => {
  const it = await installation(40);
  const before = readFileSync(it.file, 'utf8');
  const { connection, dataDir } = it;
  const child = spawn(
    process.execPath,
    ['--conditions=capstan-source', '--import', HOOK, PROGRAM, JSON.stringify({ connection, dataDir })],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const split = await keyIds(it);
  assert.equal(Object.keys(split).length, 2, JSON.stringify(split));
  assert.equal(readFileSync(it.file, 'utf8'), before, 'the old key stays while a row refers to it');
  const restarted = await it.open({ dataDir });
  await readable(restarted, it.values);
  await readable(it.database, it.values);
  const rotated = await restarted.keys.rotate();
  assert.ok(rotated.kind === 'rotated');
  assert.equal(rotated.resumed, true);
  assert.equal(rotated.rewrapped, split[rotated.former]);
  assert.deepEqual(await keyIds(it), { [rotated.current]: 40 });
  assert.notEqual(readFileSync(it.file, 'utf8'), before);
  await readable(restarted, it.values);
});

test('[L10] a machine with a copy of the folder follows a rotation once it has the next key, and is refused without', async () => {
  const it = await installation(3);
  const other = mkdtempSync(join(tmpdir(), 'capstan-key-'));
  const without = mkdtempSync(join(tmpdir(), 'capstan-key-'));
  folders.push(other, without);
  writeFileSync(`${it.file}.next`, `${Buffer.alloc(32, 7).toString('base64')}\n`);
  for (const folder of [other, without])
    cpSync(join(it.dataDir, 'secret'), join(folder, 'secret'), { recursive: true });
  rmSync(join(without, 'secret', 'key-encryption-key.next'));
  const far = await it.open({ dataDir: other });
  const lost = await it.open({ dataDir: without });
  await it.database.keys.rotate();
  await readable(far, it.values);
  await far.secrets.put('default', 'far', Buffer.from('far'));
  for (const [ref] of it.values) await assert.rejects(lost.secrets.get(ref), { code: 'key_unknown' });
  await assert.rejects(lost.secrets.put('default', 'x', Buffer.from('x')), { code: 'key_unknown' });
  const refusal = { code: 'key_unknown', message: /^[^\n]+restore the file of that key\.$/ };
  await assert.rejects(openDatabase({ connection: it.connection, dataDir: without }), refusal);
  await it.open({ dataDir: other });
  const [a, b] = [it.dataDir, other].map((folder) =>
    readFileSync(join(folder, 'secret', 'key-encryption-key'), 'utf8'),
  );
  assert.equal(a, b);
  assert.equal(existsSync(join(other, 'secret', 'key-encryption-key.next')), false);
});

test('[L10] a next key that is none, or is the present one, is refused and nothing changes', async () => {
  const it = await installation(2);
  const ids = await keyIds(it);
  writeFileSync(`${it.file}.next`, 'c2hvcnQ=\n');
  await assert.rejects(it.database.keys.rotate(), { code: 'key_damaged' });
  cpSync(it.file, `${it.file}.next`);
  await assert.rejects(it.database.keys.rotate(), { code: 'key_unchanged' });
  assert.deepEqual(await keyIds(it), ids);
  await readable(it.database, it.values);
});

test('two rotations at once: one is done, the other is told', async () => {
  const it = await installation(10);
  const asked: ReturnType<Database['keys']['rotate']>[] = [];
  const other = await it.open({ dataDir: it.dataDir });
  await it.database.keys.rotate({
    batch: 5,
    progress: () => asked.push(other.keys.rotate()),
  });
  assert.deepEqual(await asked[0], { kind: 'busy' });
  await Promise.all(asked);
});
